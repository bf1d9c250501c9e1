// Which piece went where between two positions, so that it can slide.
import type { Happening } from '../types';

const STEP_MS = 170;
const PAUSE_MS = 90;

/** A piece that moved: the squares it passed, and when. */
export interface Track {
  piece: string;
  cells: number[];
  /** When it leaves each square except the last. */
  starts: number[];
  /** When it was captured; undefined for a piece that is still there. */
  gone?: number;
}

/** Plays `events` on the pieces of the position before; returns the tracks of all pieces that moved or were captured. */
export function tracks(before: (string | null)[], events: Happening[], width: number, jumps: boolean): Track[] {
  const board = before.map((piece, cell): Track | null => (piece === null ? null : { piece, cells: [cell], starts: [] }));
  const changed = new Set<Track>();
  let time = 0;
  for (const event of events) {
    const cells = event.place?.cells ?? [];
    const mover = cells.length > 1 ? board[cells[0] as number] : null;
    if (!mover) continue;
    changed.add(mover);
    for (let index = 1; index < cells.length; index += 1) {
      const from = cells[index - 1] as number;
      const to = cells[index] as number;
      mover.starts.push(time);
      mover.cells.push(to);
      time += STEP_MS;
      const captured = jumps ? between(from, to, width) : to;
      const victim = captured === null || captured === cells[0] ? null : board[captured];
      if (victim && victim !== mover) {
        victim.gone = time - STEP_MS / 3;
        changed.add(victim);
        board[captured as number] = null;
      }
      board[from] = null;
      board[to] = mover;
    }
    time += PAUSE_MS;
  }
  return [...changed];
}

function between(from: number, to: number, width: number): number | null {
  const rows = Math.floor(to / width) - Math.floor(from / width);
  return Math.abs(rows) === 2 ? (from + to) / 2 : null;
}

/** Slides an element along its track; `spot` says where a square is, in the units of the drawing. */
export function slide(element: Element, track: Track, spot: (cell: number) => [number, number]): void {
  const end = track.cells.length > 1 ? (track.starts.at(-1) as number) + STEP_MS : 0;
  const total = Math.max(end, (track.gone ?? 0) + 200);
  const [x, y] = spot(track.cells.at(-1) as number);
  if (track.cells.length > 1) {
    const frames: Keyframe[] = [];
    const at = (cell: number, time: number) => {
      const [left, top] = spot(cell);
      frames.push({ transform: `translate(${left - x}px, ${top - y}px)`, offset: time / total, easing: 'cubic-bezier(.3,.1,.3,1)' });
    };
    at(track.cells[0] as number, 0);
    track.starts.forEach((start, index) => {
      at(track.cells[index] as number, start);
      at(track.cells[index + 1] as number, start + STEP_MS);
    });
    at(track.cells.at(-1) as number, total);
    element.animate(frames, { duration: total });
  }
  if (track.gone !== undefined) {
    element.animate(
      [
        { opacity: 1, offset: 0 },
        { opacity: 1, offset: track.gone / total },
        { opacity: 0, offset: 1 },
      ],
      { duration: total, fill: 'forwards' },
    );
  }
}
