// Small pictures of the games for the cards, drawn with the same pieces as the boards.
import { Disc } from './connect';
import { CheckersPiece } from './checkers';
import { ChessPiece, FaceDown } from './chesspieces';
import { TileFace } from './tiles';

function ConnectPicture() {
  const rows = ['.......', '...O...', '..XXO..', '.OXOXX.'];
  return (
    <svg viewBox="0 0 700 400" aria-hidden="true">
      <rect width="700" height="400" class="behind" />
      {rows.flatMap((row, y) => [...row].map((cell, x) => cell !== '.' && <Disc key={`${x}${y}`} side={cell as 'X'} x={x * 100 + 50} y={y * 100 + 50} />))}
      <g class="wall">
        {rows.flatMap((row, y) =>
          [...row].map((_, x) => <path key={`${x}${y}`} fill-rule="evenodd" transform={`translate(${x * 100} ${y * 100})`} d="M0 0h100.5v100.5H0zM50 10a40 40 0 1 0 0 80a40 40 0 1 0 0-80z" />),
        )}
      </g>
    </svg>
  );
}

function CheckersPicture() {
  const pieces: [number, number, string][] = [
    [1, 0, 'w'],
    [5, 0, 'w'],
    [2, 1, 'W'],
    [4, 1, 'w'],
    [1, 2, 'r'],
    [5, 2, 'r'],
    [0, 3, 'r'],
    [4, 3, 'R'],
  ];
  return (
    <svg viewBox="0 0 700 400" aria-hidden="true">
      <rect width="700" height="400" class="square light" />
      {Array.from({ length: 14 }, (_, index) => {
        const y = Math.floor((index * 2 + 1) / 7);
        const x = (index * 2 + 1) % 7;
        return <rect key={index} x={x * 100} y={y * 100} width="100.5" height="100.5" class="square dark" />;
      })}
      {pieces.map(([x, y, piece]) => (
        <g key={`${x}-${y}`} transform={`translate(${x * 100} ${y * 100})`}>
          <CheckersPiece piece={piece} />
        </g>
      ))}
    </svg>
  );
}

function DominoesPicture() {
  const tiles: [number, number, number, number, boolean][] = [
    [20, 110, 3, 6, true],
    [230, 60, 6, 6, false],
    [340, 110, 6, 1, true],
    [550, 110, 1, 4, true],
    [230, 270, 6, 2, false],
  ];
  return (
    <svg viewBox="0 0 700 400" aria-hidden="true">
      <rect width="700" height="400" class="felt" />
      <g transform="translate(40 10) scale(.82)">
        {tiles.map(([x, y, low, high, across]) => (
          <g key={x + y} transform={`translate(${x} ${y})`}>
            <TileFace low={low} high={high} across={across} />
          </g>
        ))}
      </g>
    </svg>
  );
}

function ChessPicture() {
  const rows = ['XkX-XXN', 'X-pXR-X', '-PX-XcX', 'XXGX-XX'];
  return (
    <svg viewBox="0 0 700 400" aria-hidden="true">
      <rect width="700" height="400" class="wood" />
      {rows.map((row, y) =>
        [...row].map((piece, x) => (
          <g key={`${x}${y}`} transform={`translate(${x * 100} ${y * 100})`}>
            <rect width="100" height="100" class="wood-line" />
            {piece === 'X' ? <FaceDown /> : piece !== '-' ? <ChessPiece piece={piece} /> : null}
          </g>
        )),
      )}
    </svg>
  );
}

function MinesPicture() {
  const rows = ['##F11##', '#3211##', '1100122', '0000001'];
  return (
    <svg viewBox="0 0 700 400" aria-hidden="true">
      {rows.map((row, y) =>
        [...row].map((cell, x) => (
          <g key={`${x}${y}`} transform={`translate(${x * 100} ${y * 100})`}>
            <rect x="2" y="2" width="96" height="96" rx="10" class={/\d/.test(cell) ? 'mine-open' : 'mine-covered'} />
            {/[1-8]/.test(cell) && (
              <text x="50" y="54" class={`mine-number n${cell}`} text-anchor="middle" dominant-baseline="central">
                {cell}
              </text>
            )}
            {cell === 'F' && <path d="M38 76V26l34 15-34 15" class="mine-flag" />}
          </g>
        )),
      )}
    </svg>
  );
}

function NoughtsPicture() {
  return (
    <svg viewBox="0 0 700 400" aria-hidden="true">
      <rect width="700" height="400" class="paper" />
      <g transform="translate(185 35) scale(1.1)">
        <path d="M100 8v284M200 8v284M8 100h284M8 200h284" class="rule" />
        <path d="M22 22l56 56M78 22l-56 56M122 122l56 56M178 122l-56 56M222 222l56 56M278 222l-56 56" class="cross" />
        <circle cx="250" cy="50" r="30" class="nought" />
        <circle cx="50" cy="150" r="30" class="nought" />
        <path d="M12 12L288 288" class="strike X" />
      </g>
    </svg>
  );
}

const PICTURES: Record<string, () => preact.JSX.Element> = {
  connect: ConnectPicture,
  checkers: CheckersPicture,
  dominoes: DominoesPicture,
  darkchess: ChessPicture,
  minesweeper: MinesPicture,
  tictactoe: NoughtsPicture,
};

export function Picture({ name }: { name: string }) {
  const Drawn = PICTURES[name];
  return Drawn ? <Drawn /> : null;
}
