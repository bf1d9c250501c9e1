import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ChessPiece, FaceDown, isRed, KINDS, PIECE_NAMES, pieceName } from './chesspieces';
import { BoardTable, Grid, spotOf, Tag } from './grid';
import { hintArrows, useTracks } from './checkers';
import { type BoardProps, byAction, formatValue, letters, squaresOf } from './state';

interface View {
  rows: string[];
  turn: string;
  red: number | null;
  face_down: string;
  taken: string;
  flipping: string | null;
  quiet: string[];
  ending: string | null;
}

const COLUMNS = 4;
const ROWS = 8;
const name = (cell: number) => `${letters(cell % COLUMNS)}${ROWS - Math.floor(cell / COLUMNS)}`;

export function DarkChess({ state, act, hint, flipped }: BoardProps) {
  const view = state.view as View;
  const squares = view.rows.flatMap((row) => [...row]);
  const cells = squares.map((piece) => (piece === '-' ? null : piece));
  const [chosen, setChosen] = useState<number | null>(null);
  const { root, ghosts } = useTracks(state, cells, COLUMNS, false, flipped, '4x8');
  const spot = spotOf(COLUMNS, ROWS, flipped);
  useEffect(() => setChosen(null), [state.ply, state.actions.join()]);

  // Pieces that were face down in the position before turn over.
  const before = useRef<string[] | null>(null);
  const turned = useMemo(() => {
    const known = before.current;
    before.current = squares;
    return new Set(known ? squares.flatMap((piece, cell) => (known[cell] === 'X' && piece !== 'X' && piece !== '-' ? [cell] : [])) : []);
  }, [squares.join('')]);

  const moves = act ? state.actions.map((action, index) => ({ action, cells: state.places[index]?.cells ?? [] })) : [];
  const flips = new Map(moves.filter(({ action }) => !action.includes('-')).map(({ action, cells }) => [cells[0] as number, action]));
  const steps = moves.filter(({ action }) => action.includes('-'));
  const starts = new Set(steps.map(({ cells }) => cells[0] as number));
  const targets = new Map(steps.filter(({ cells }) => cells[0] === chosen).map(({ action, cells }) => [cells.at(-1) as number, action]));
  const values = byAction(hint);

  const onCell = (cell: number) => {
    if (!act) return;
    const target = targets.get(cell);
    if (target) act(target);
    else if (flips.has(cell)) act(flips.get(cell) as string);
    else setChosen(starts.has(cell) && cell !== chosen ? cell : null);
  };
  const onDrop = (from: number, to: number) => {
    const step = steps.find(({ cells }) => cells[0] === from && cells.at(-1) === to);
    if (step) act?.(step.action);
    else setChosen(from);
  };
  const content = (cell: number) => {
    const piece = squares[cell] as string;
    return piece === '-' ? 'empty' : piece === 'X' ? 'face down' : piece === '?' ? 'being turned' : pieceName(piece);
  };
  const lit = state.last.filter((event) => event.place).at(-1)?.place?.cells ?? [];
  return (
    <Grid
      class="darkchess"
      columns={COLUMNS}
      rows={ROWS}
      flipped={flipped}
      label="Dark chess board, 4 files and 8 ranks"
      cell={(cell) => ({
        name: name(cell),
        says: `${name(cell)}, ${content(cell)}${targets.has(cell) ? ', can move here' : starts.has(cell) ? ', can move' : flips.has(cell) ? ', can be turned' : ''}`,
        live: flips.has(cell) || starts.has(cell) || targets.has(cell),
        ...(starts.has(cell) ? { selected: chosen === cell } : {}),
      })}
      onCell={onCell}
      drag={(cell) => (act && starts.has(cell) ? <ChessPiece piece={squares[cell] as string} /> : null)}
      onDrop={onDrop}
      arrows={chosen === null ? hintArrows(hint, COLUMNS, ROWS) : []}
    >
      <rect width="400" height="800" class="wood" />
      {squares.map((_, cell) => {
        const [x, y] = spot(cell);
        return (
          <g key={cell}>
            <rect x={x} y={y} width="100" height="100" class={lit.includes(cell) ? 'wood-line lit' : 'wood-line'} />
            {x === 0 && (
              <text x={x + 5} y={y + 19} class="coordinate on-wood">
                {ROWS - Math.floor(cell / COLUMNS)}
              </text>
            )}
            {y === 700 && (
              <text x={x + 95} y={y + 95} text-anchor="end" class="coordinate on-wood">
                {letters(cell % COLUMNS)}
              </text>
            )}
          </g>
        );
      })}
      <g ref={root}>
        {ghosts.map(({ track, index }) => {
          const [x, y] = spot(track.cells.at(-1) as number);
          return (
            <g key={`${state.ply}-${index}`} transform={`translate(${x} ${y})`}>
              <g data-ghost={index}>{track.piece === 'X' ? <FaceDown /> : <ChessPiece piece={track.piece} />}</g>
            </g>
          );
        })}
        {squares.map((piece, cell) => {
          if (piece === '-') return null;
          const [x, y] = spot(cell);
          return (
            <g key={cell} transform={`translate(${x} ${y})`}>
              <g data-at={cell}>
                <g class={turned.has(cell) ? 'turns' : ''} key={piece}>
                  {piece === 'X' || piece === '?' ? <FaceDown /> : <ChessPiece piece={piece} />}
                </g>
                {chosen === cell && <circle cx="50" cy="50" r="46" class="chosen" />}
              </g>
            </g>
          );
        })}
        {[...targets.keys()].map((cell) => {
          const [x, y] = spot(cell);
          return cells[cell] ? <circle key={cell} cx={x + 50} cy={y + 50} r="46" class="capture" /> : <circle key={cell} cx={x + 50} cy={y + 50} r="15" class="target" />;
        })}
        {chosen === null &&
          [...values.values()].map((value) => {
            const [cell, to] = squaresOf(value.action, COLUMNS, ROWS);
            if (cell === undefined || to !== undefined) return null;
            const [x, y] = spot(cell);
            return (
              <g key={cell}>
                {value.best && <circle cx={x + 50} cy={y + 50} r="46" class="ring-best" />}
                <Tag x={x + 50} y={y + 50} text={formatValue(value.value, hint?.unit ?? '', value.certainty)} best={value.best} size={19} />
              </g>
            );
          })}
      </g>
    </Grid>
  );
}

function counts(letters: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const letter of letters) found.set(letter, (found.get(letter) ?? 0) + 1);
  return found;
}

/** Face-down and taken pieces as counts. */
export function DarkChessNote({ state }: { state: BoardProps['state'] }) {
  const view = state.view as View;
  const down = counts(view.face_down);
  const taken = counts(view.taken);
  const kinds = [...KINDS, ...KINDS.toLowerCase()];
  const mine = view.red === null || state.seat === null ? null : view.red === state.seat ? 'red' : 'black';
  return (
    <div class="piece-counts">
      {mine && (
        <p class="board-note">
          You play <b>{mine}</b>.
        </p>
      )}
      <table>
        <caption>Pieces face down and taken</caption>
        <thead>
          <tr>
            <td />
            {[...KINDS].map((kind) => (
              <th key={kind} scope="col">
                <span class="hidden-text">{PIECE_NAMES[kind]}</span>
                <svg viewBox="0 0 100 100" width="26" height="26" aria-hidden="true">
                  <ChessPiece piece={kind} />
                </svg>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(
            [
              ['red, face down', down, true],
              ['black, face down', down, false],
              ['red, taken', taken, true],
              ['black, taken', taken, false],
            ] as const
          ).map(([label, found, red]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {kinds
                .filter((piece) => isRed(piece) === red)
                .map((piece) => (
                  <td key={piece} class={found.get(piece) ? '' : 'soft'}>
                    {found.get(piece) ?? 0}
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function DarkChessTable({ state }: { state: BoardProps['state'] }) {
  const view = state.view as View;
  return (
    <BoardTable
      caption="The board, rank 8 first"
      rows={view.rows.map((row) => [...row].map((piece) => (piece === '-' ? 'empty' : piece === 'X' ? 'face down' : piece === '?' ? 'being turned' : pieceName(piece))))}
      columnNames={['a', 'b', 'c', 'd']}
      rowNames={view.rows.map((_, row) => String(ROWS - row))}
    />
  );
}
