import { useMemo, useRef } from 'preact/hooks';
import { parseSpec } from '../spec';
import { BoardTable, Grid, spotOf, Tag } from './grid';
import { type BoardProps, byAction, formatValue, letters } from './state';

interface View {
  rows: string[];
  points: [number, number];
}

export interface Line {
  side: string;
  from: [number, number];
  to: [number, number];
}

const STEPS: [number, number][] = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
];

/** The scored lines as strokes: each longest run of three or more, which covers all its windows of three. */
export function runs(rows: string[]): Line[] {
  const found: Line[] = [];
  const at = (x: number, y: number) => rows[y]?.[x];
  rows.forEach((row, y) =>
    [...row].forEach((side, x) => {
      if (side === '.') return;
      for (const [dx, dy] of STEPS) {
        if (at(x - dx, y - dy) === side) continue;
        let length = 1;
        while (at(x + dx * length, y + dy * length) === side) length += 1;
        if (length >= 3) found.push({ side, from: [x, y], to: [x + dx * (length - 1), y + dy * (length - 1)] });
      }
    }),
  );
  return found;
}

export function TicTacToe({ state, act, hint }: BoardProps) {
  const view = state.view as View;
  const height = view.rows.length;
  const width = view.rows[0]?.length ?? 0;
  const cells = view.rows.flatMap((row) => [...row]);
  const name = (cell: number) => `${letters(cell % width)}${Math.floor(cell / width) + 1}`;
  const values = byAction(hint);
  const legal = new Set(act ? state.actions : []);
  const spot = spotOf(width, height, false);
  const before = useRef<string[] | null>(null);
  const fresh = useMemo(() => {
    const known = before.current;
    before.current = cells;
    return new Set(known && known.length === cells.length ? cells.flatMap((cell, index) => (cell !== '.' && known[index] === '.' ? [index] : [])) : []);
  }, [cells.join('')]);
  const lit = state.last.filter((event) => event.place).at(-1)?.place?.cells ?? [];
  return (
    <Grid
      class="tictactoe"
      columns={width}
      rows={height}
      label={`Board, ${width} by ${height}`}
      cell={(cell) => ({
        name: name(cell),
        says: `${name(cell)}, ${cells[cell] === '.' ? 'free' : cells[cell]}`,
        live: legal.has(name(cell)),
      })}
      onCell={(cell) => legal.has(name(cell)) && act?.(name(cell))}
    >
      <rect width={width * 100} height={height * 100} class="paper" />
      {lit.map((cell) => {
        const [x, y] = spot(cell);
        return <rect key={cell} x={x + 3} y={y + 3} width="94" height="94" rx="8" class="paper-lit" />;
      })}
      <path
        class="rule"
        d={[
          ...Array.from({ length: width - 1 }, (_, index) => `M${(index + 1) * 100} 8v${height * 100 - 16}`),
          ...Array.from({ length: height - 1 }, (_, index) => `M8 ${(index + 1) * 100}h${width * 100 - 16}`),
        ].join('')}
      />
      {cells.map((cell, index) => {
        const [x, y] = spot(index);
        return (
          <g key={index} transform={`translate(${x} ${y})`} class={fresh.has(index) ? 'written' : ''}>
            {cell === 'X' && <path d="M24 24l52 52M76 24l-52 52" pathLength={100} class="cross" />}
            {cell === 'O' && <circle cx="50" cy="50" r="28" pathLength={100} class="nought" />}
            {index % width === 0 && (
              <text x="6" y="17" class="coordinate on-paper">
                {Math.floor(index / width) + 1}
              </text>
            )}
            {index >= width * (height - 1) && (
              <text x="94" y="95" text-anchor="end" class="coordinate on-paper">
                {letters(index % width)}
              </text>
            )}
          </g>
        );
      })}
      {runs(view.rows).map((line) => {
        const [dx, dy] = [Math.sign(line.to[0] - line.from[0]), Math.sign(line.to[1] - line.from[1])];
        return (
          <line
            key={`${line.from}-${line.to}`}
            x1={line.from[0] * 100 + 50 - dx * 38}
            y1={line.from[1] * 100 + 50 - dy * 38}
            x2={line.to[0] * 100 + 50 + dx * 38}
            y2={line.to[1] * 100 + 50 + dy * 38}
            class={`strike ${line.side}`}
          />
        );
      })}
      {cells.map((cell, index) => {
        const value = values.get(name(index));
        if (!value || cell !== '.') return null;
        const [x, y] = spot(index);
        return <Tag key={index} x={x + 50} y={y + 50} text={formatValue(value.value, hint?.unit ?? '', value.certainty)} best={value.best} size={20} />;
      })}
    </Grid>
  );
}

export function TicTacToeNote({ state }: { state: BoardProps['state'] }) {
  const windows = parseSpec(state.game).keys.lines !== 'runs';
  return <p class="board-note">{windows ? 'Every three in a row is a point; four in a row are two.' : 'Every longest row of three or more is a point.'}</p>;
}

export function TicTacToeTable({ state }: { state: BoardProps['state'] }) {
  const view = state.view as View;
  return (
    <BoardTable
      caption="The board"
      rows={view.rows.map((row) => [...row].map((cell) => (cell === '.' ? 'free' : cell)))}
      columnNames={[...(view.rows[0] ?? '')].map((_, column) => letters(column))}
      rowNames={view.rows.map((_, row) => String(row + 1))}
    />
  );
}
