// Texts of a position and of a match to copy: columns, FEN, PDN, and links that open the position.
import type { Saved } from './review';
import type { Copied } from './share';

/** PDN's number of a square of an 8×8 board, which has black (here red) at the top. */
function squareNumber(column: number, row: number): number {
  return 4 * row + 4 - (column >> 1);
}

/** A position of an 8×8 board as PDN's FEN; `null` for other boards. */
export function fen(position: string): string | null {
  const [board = '', turn] = position.split(' ');
  const rows = board.split('/');
  if (rows.length !== 8 || rows[0]?.length !== 8) return null;
  const side = (man: string) => {
    const found: [boolean, number][] = [];
    rows.forEach((cells, top) => {
      [...cells].forEach((cell, column) => {
        if (cell.toLowerCase() === man) found.push([cell !== man, squareNumber(column, 7 - top)]);
      });
    });
    found.sort(([king, one], [other, two]) => Number(king) - Number(other) || one - two);
    return found.map(([king, number]) => (king ? 'K' : '') + number).join();
  };
  return `${turn === 'r' ? 'B' : 'W'}:W${side('w')}:B${side('r')}`;
}

/** A match at 8×8 checkers in Portable Draughts Notation. */
export function pdn(saved: Saved): string {
  const first = saved.start?.endsWith(' w') ? 1 : 0;
  const start = saved.start ? (saved.start.includes(':') ? saved.start : fen(saved.start)) : null;
  const moves = saved.moves.map((move, index) => {
    const squares = move.split(/[-x]/).map((square) => squareNumber(square.charCodeAt(0) - 97, Number(square.slice(1)) - 1));
    const ply = index + first;
    return `${ply % 2 === 0 ? `${ply / 2 + 1}. ` : index === 0 ? '1... ' : ''}${squares.join(move.includes('x') ? 'x' : '-')}`;
  });
  return `${start ? `[GameType "21"]\n[FEN "${start}"]\n\n` : ''}${[...moves, '*'].join(' ')}`;
}

/** What can be copied of a position; `match` has the moves that led to it. */
export function positionTexts(name: string, game: string, position: string | null, match: () => Promise<Saved>): Copied[] {
  const link = (text: string) => `${location.origin}/play/${name}?game=${encodeURIComponent(game)}&position=${encodeURIComponent(text)}`;
  if (name === 'connect') {
    const columns = async () => {
      const { start, moves } = await match();
      return (start ?? '') + moves.join('');
    };
    return [
      { label: 'Copy the columns', text: columns },
      { label: 'Copy a link to the position', text: async () => link(await columns()) },
    ];
  }
  if (!position) return [];
  const square = name === 'checkers' ? fen(position) : null;
  return [
    { label: 'Copy the position', text: position },
    ...(square ? [{ label: 'Copy FEN', text: square }, { label: 'Copy PDN', text: async () => pdn(await match()) }] : []),
    { label: 'Copy a link to the position', text: link(position) },
  ];
}
