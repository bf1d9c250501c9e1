import type { Happening, Hint, MoveValue, Place, Ply, Replay, Snapshot } from '../types';

/** What a board draws: a snapshot of a table, or one ply of a replay. */
export interface BoardState {
  game: string;
  name: string;
  /** Changes with every position. */
  ply: number;
  view: any;
  seat: number | null;
  toMove: number | null;
  actions: string[];
  places: Place[];
  last: Happening[];
  over: boolean;
  /** The cells of the mines, where they are known after the end. */
  mines?: string[];
  /** Where tiles really were, for beliefs of a finished match: tile to place. */
  truth?: Record<string, string>;
}

export interface BoardProps {
  state: BoardState;
  /** Plays an action; `null` while nothing can be played. */
  act: ((action: string) => void) | null;
  hint: Hint | null;
  flipped: boolean;
}

export function fromSnapshot(snapshot: Snapshot, view: unknown = snapshot.view): BoardState {
  return {
    game: snapshot.game,
    name: snapshot.name,
    ply: snapshot.ply,
    view,
    seat: snapshot.seat,
    toMove: snapshot.to_move,
    actions: snapshot.actions,
    places: snapshot.places ?? [],
    last: snapshot.last,
    over: snapshot.over !== null,
  };
}

/** The state at a place of a replay's list. */
export function fromPly(replay: Replay, index: number, seat: number | null): BoardState {
  const ply = replay.plies[index] as Ply;
  const last: Happening[] =
    ply.action === null ? [] : [{ actor: ply.actor ?? 'chance', action: ply.action, text: ply.text, place: ply.place ?? null }];
  return {
    game: replay.game,
    name: replay.name,
    ply: index,
    view: ply.view,
    seat,
    toMove: ply.to_move,
    actions: [],
    places: [],
    last,
    over: index === replay.plies.length - 1,
  };
}

/** The hint for each action, with its place in the order of values. */
export function byAction(hint: Hint | null): Map<string, MoveValue & { best: boolean }> {
  const moves = hint?.moves ?? [];
  const top = Math.max(...moves.filter((move) => move.certainty !== 'at_most').map((move) => move.value));
  const proven = moves.some((move) => move.certainty === 'proven');
  return new Map(
    moves.map((move) => {
      // Equally good exact values are all the best; of estimates only the choice is.
      const best = proven ? move.certainty !== 'at_most' && Math.abs(move.value - top) < 1e-9 : move.action === (hint?.best ?? moves[0]?.action);
      return [move.action, { ...move, best }];
    }),
  );
}

/** A value in the notation of the page: `=` exact, `≤` bound, `≈` estimate. */
export function formatValue(value: number, unit: string, certainty?: string): string {
  const sign = certainty === 'proven' ? '' : certainty === 'at_most' ? '≤' : certainty === 'guess' ? '≈' : '';
  if (/probab|chance|win rate/.test(unit)) return `${sign}${(value * 100).toFixed(value > 0 && value < 0.1 ? 1 : 0)}%`;
  const size = Math.abs(value);
  // Searches write certain ends as values beyond every board.
  if (size >= 99 && /^(disc|men|piece)/.test(unit)) return `${sign}${value > 0 ? 'win' : 'loss'}`;
  const digits = certainty === 'proven' && Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2;
  const text = size.toFixed(digits);
  return `${sign}${Number(text) === 0 ? '' : value > 0 ? '+' : '−'}${text}`;
}

export function tone(value: number, unit: string): 'good' | 'bad' | 'even' {
  const middle = /probab|chance|win rate/.test(unit) ? 0.5 : 0;
  return value > middle + 0.02 ? 'good' : value < middle - 0.02 ? 'bad' : 'even';
}

/** The cells of the squares that an action names, such as `e3xc5`, on a board whose first row is at the bottom. */
export function squaresOf(action: string, width: number, height: number): number[] {
  return [...action.matchAll(/([a-z])(\d+)/g)].map(([, file, rank]) => (height - Number(rank)) * width + (file as string).charCodeAt(0) - 97);
}

export function letters(column: number): string {
  return column < 26 ? String.fromCharCode(97 + column) : `a${String.fromCharCode(97 + column - 26)}`;
}

export const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
