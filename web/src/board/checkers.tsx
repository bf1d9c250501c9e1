import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { BoardTable, Grid, spotOf, type Arrow } from './grid';
import { slide, tracks, type Track } from './motion';
import { type BoardProps, byAction, formatValue, letters, squaresOf, still } from './state';
import type { Happening, Hint } from '../types';

interface View {
  rows: string[];
  idle: number;
  limit: number;
  winner: number | null;
}

const NAMES: Record<string, string> = { r: 'red man', R: 'red king', w: 'white man', W: 'white king' };

export function CheckersPiece({ piece }: { piece: string }) {
  const side = piece.toLowerCase();
  return (
    <g class={`man ${side}`}>
      <circle cx="50" cy="55" r="39" class="man-shade" />
      <circle cx="50" cy="50" r="39" class="man-body" />
      <circle cx="50" cy="50" r="31" class="man-groove" />
      <circle cx="50" cy="50" r="22" class="man-groove" />
      {piece !== side && <path d="M28 64l-4-27 14 11 12-19 12 19 14-11-4 27z" class="crown" />}
    </g>
  );
}

/** Slides pieces from the position before; returns the pieces that were captured and the attribute for those that stay. */
export function useTracks(state: BoardProps['state'], cells: (string | null)[], width: number, jumps: boolean, flipped: boolean, size: string) {
  const before = useRef<{ ply: number; cells: (string | null)[]; size: string } | null>(null);
  const root = useRef<SVGGElement>(null);
  const moved = useMemo((): Track[] => {
    const known = before.current;
    before.current = { ply: state.ply, cells, size };
    if (!known || known.size !== size || state.ply <= known.ply || still()) return [];
    // Only what happened since the position that was drawn.
    const events: Happening[] = state.last.filter((event) => (event.place?.cells.length ?? 0) > 1);
    for (let skip = 0; skip <= events.length; skip += 1) {
      const recent = events.slice(skip);
      const found = tracks(known.cells, recent, width, jumps);
      const fits = found.every((track) => track.gone !== undefined || cells[track.cells.at(-1) as number]?.toLowerCase() === track.piece.toLowerCase());
      const from = recent[0]?.place?.cells[0];
      if (fits && (from === undefined || known.cells[from] !== null)) return found;
    }
    return [];
  }, [cells.join(), state.ply]);
  useLayoutEffect(() => {
    const spot = spotOf(width, cells.length / width, flipped);
    for (const track of moved) {
      const name = track.gone === undefined ? `[data-at="${track.cells.at(-1)}"]` : `[data-ghost="${moved.indexOf(track)}"]`;
      const element = root.current?.querySelector(name);
      if (element) slide(element, track, spot);
    }
  }, [moved]);
  return { root, ghosts: moved.map((track, index) => ({ track, index })).filter(({ track }) => track.gone !== undefined) };
}

/** Arrows for the best moves; the width grows with the logarithm of the visits. */
export function hintArrows(hint: Hint | null, width: number, height: number): Arrow[] {
  if (!hint) return [];
  const values = byAction(hint);
  const most = Math.max(1, ...hint.moves.map((move) => move.visits ?? 0));
  const arrows: Arrow[] = [];
  for (const move of hint.moves.slice(0, 5)) {
    const cells = squaresOf(move.action, width, height);
    if (cells.length < 2) continue;
    const weight = move.visits === undefined || most === 1 ? (arrows.length === 0 ? 0.8 : 0.3) : Math.log1p(move.visits) / Math.log1p(most);
    arrows.push({
      from: cells[0] as number,
      to: cells.at(-1) as number,
      weight,
      label: formatValue(move.value, hint.unit, move.certainty),
      best: values.get(move.action)?.best ?? false,
    });
  }
  return arrows.sort((a, b) => Number(b.best) - Number(a.best));
}

export function Checkers({ state, act, hint, flipped }: BoardProps) {
  const view = state.view as View;
  const height = view.rows.length;
  const width = view.rows[0]?.length ?? 0;
  const cells = view.rows.flatMap((row) => [...row].map((cell) => (cell === '-' || cell === '.' ? null : cell)));
  const [path, setPath] = useState<number[]>([]);
  const { root, ghosts } = useTracks(state, cells, width, true, flipped, view.rows.length + 'x' + width);
  const spot = spotOf(width, height, flipped);
  useEffect(() => setPath([]), [state.ply, state.actions.join()]);

  const paths = act ? state.places.map((place) => place.cells) : [];
  const starts = new Set(paths.map((cells) => cells[0] as number));
  const begun = path.length > 0 ? paths.filter((cells) => path.every((cell, index) => cells[index] === cell)) : [];
  const next = new Set(begun.map((cells) => cells[path.length]).filter((cell): cell is number => cell !== undefined));
  const ends = new Set(begun.map((cells) => cells.at(-1) as number));
  const jump = paths.some((cells) => Math.abs(Math.floor((cells[1] ?? 0) / width) - Math.floor((cells[0] ?? 0) / width)) === 2);
  const name = (cell: number) => `${letters(cell % width)}${height - Math.floor(cell / width)}`;

  const play = (cells: number[]) => {
    const at = paths.findIndex((path) => path.join() === cells.join());
    if (at >= 0) act?.(state.actions[at] as string);
    setPath([]);
  };

  /** Goes on with the selected piece; returns whether the square continues its path. */
  const advance = (from: number[], cell: number): boolean => {
    const open = paths.filter((cells) => from.every((square, index) => cells[index] === square));
    const step = open.filter((cells) => cells[from.length] === cell);
    if (step.length > 0) {
      const taken = [...from, cell];
      if (step.length === 1 && (step[0] as number[]).length === taken.length) play(taken);
      else if (step.some((cells) => cells.length === taken.length)) play(taken);
      else setPath(taken);
      return true;
    }
    // The square where a path of several jumps ends also plays it, if only one path ends there.
    const final = open.filter((cells) => cells.at(-1) === cell);
    if (final.length === 1) {
      play(final[0] as number[]);
      return true;
    }
    return false;
  };

  const onCell = (cell: number) => {
    if (!act) return;
    if (path.length > 0 && cell === path[0] && path.length === 1) setPath([]);
    else if (path.length > 0 && advance(path, cell)) return;
    else setPath(starts.has(cell) ? [cell] : []);
  };

  const lastCells = state.last.filter((event) => event.place).at(-1)?.place?.cells ?? [];
  const ghostOf = path.length > 1 ? (path[0] as number) : null;
  const content = (cell: number) => (cells[cell] ? (NAMES[cells[cell] as string] as string) : (cell % width) + Math.floor(cell / width) === 0 ? 'empty' : 'empty');
  return (
    <Grid
      class="checkers"
      columns={width}
      rows={height}
      flipped={flipped}
      label={`Checkers board, ${width} by ${height}${jump ? ', a jump is compulsory' : ''}`}
      cell={(cell) => ({
        name: name(cell),
        says: `${name(cell)}, ${content(cell)}${next.has(cell) || ends.has(cell) ? ', can move here' : starts.has(cell) ? ', can move' : ''}`,
        live: starts.has(cell) || next.has(cell) || ends.has(cell),
        ...(starts.has(cell) ? { selected: path[0] === cell } : {}),
      })}
      onCell={onCell}
      drag={(cell) => (act && starts.has(cell) ? <CheckersPiece piece={cells[cell] as string} /> : null)}
      onDrop={(from, to) => {
        if (!advance([from], to)) setPath([from]);
      }}
      arrows={path.length === 0 ? hintArrows(hint, width, height) : []}
    >
      <rect width={width * 100} height={height * 100} class="square light" />
      {Array.from({ length: width * height }, (_, cell) => {
        const [x, y] = spot(cell);
        const dark = view.rows[Math.floor(cell / width)]?.[cell % width] !== '-';
        const lit = lastCells.includes(cell);
        return (
          <g key={cell}>
            {dark && <rect x={x} y={y} width="100" height="100" class={`square dark${lit ? ' lit' : ''}`} />}
            {x === 0 && (
              <text x={x + 5} y={y + 20} class={dark ? 'coordinate on-dark' : 'coordinate'}>
                {height - Math.floor(cell / width)}
              </text>
            )}
            {y === (height - 1) * 100 && (
              <text x={x + 94} y={y + 94} text-anchor="end" class={dark ? 'coordinate on-dark' : 'coordinate'}>
                {letters(cell % width)}
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
              <g data-ghost={index}>
                <CheckersPiece piece={track.piece} />
              </g>
            </g>
          );
        })}
        {cells.map((piece, cell) => {
          if (!piece) return null;
          const shown = cell === ghostOf ? (path.at(-1) as number) : cell;
          const [x, y] = spot(shown);
          return (
            <g key={cell} transform={`translate(${x} ${y})`}>
              <g data-at={cell}>
                <CheckersPiece piece={piece} />
                {starts.has(cell) && path.length === 0 && jump && <circle cx="50" cy="50" r="44" class="must" />}
                {path[0] === cell && <circle cx="50" cy="50" r="44" class="chosen" />}
              </g>
            </g>
          );
        })}
        {[...new Set([...next, ...ends])].map((cell) => {
          const [x, y] = spot(cell);
          return <circle key={cell} cx={x + 50} cy={y + 50} r={next.has(cell) ? 17 : 9} class="target" />;
        })}
      </g>
    </Grid>
  );
}

export function CheckersTable({ state }: { state: BoardProps['state'] }) {
  const view = state.view as View;
  return (
    <BoardTable
      caption="The board, white's home row first"
      rows={view.rows.map((row) => [...row].map((cell) => (cell === '-' ? '' : cell === '.' ? 'empty' : (NAMES[cell] as string))))}
      columnNames={[...(view.rows[0] ?? '')].map((_, column) => letters(column))}
      rowNames={view.rows.map((_, row) => String(view.rows.length - row))}
    />
  );
}

export function CheckersNote({ state }: { state: BoardProps['state'] }) {
  const view = state.view as View;
  if (state.over || view.idle < 10) return null;
  return (
    <p class="board-note">
      {view.limit - view.idle} moves to the tie, unless a man moves or is captured
    </p>
  );
}
