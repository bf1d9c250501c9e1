import { CheckersPiece } from './checkers';
import { ChessPiece } from './chesspieces';
import { Disc } from './connect';

/** The piece of a side, small, beside a name. */
export function SideMark({ name, seat, view }: { name: string; seat: number; view: any }) {
  const red = name === 'darkchess' ? view?.red : null;
  const mark =
    name === 'connect' ? (
      <Disc side={seat === 0 ? 'X' : 'O'} x={50} y={50} />
    ) : name === 'checkers' ? (
      <CheckersPiece piece={seat === 0 ? 'r' : 'w'} />
    ) : name === 'tictactoe' ? (
      seat === 0 ? (
        <path d="M24 24l52 52M76 24l-52 52" class="cross" />
      ) : (
        <circle cx="50" cy="50" r="28" class="nought" />
      )
    ) : name === 'darkchess' && typeof red === 'number' ? (
      <ChessPiece piece={red === seat ? 'K' : 'k'} />
    ) : null;
  return mark ? (
    <svg class="side-mark" viewBox="0 0 100 100" width="26" height="26" aria-hidden="true">
      {mark}
    </svg>
  ) : null;
}
