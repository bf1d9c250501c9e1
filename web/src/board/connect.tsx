import { useMemo, useRef, useState } from 'preact/hooks';
import { BoardTable } from './grid';
import { type BoardProps, byAction, formatValue, tone } from './state';

interface View {
  rows: string[];
  winner: number | null;
  line: [number, number][];
}

const digit = (column: number) => (column + 1).toString(36);

/** A disc has a mark of its own, so that the sides differ without colour: a ring for X, a bar and dots for O. */
export function Disc({ side, x, y, r = 41, ghost }: { side: 'X' | 'O'; x: number; y: number; r?: number; ghost?: boolean }) {
  return (
    <g class={`disc ${side}${ghost ? ' ghost' : ''}`}>
      <circle cx={x} cy={y} r={r} class="body" />
      <circle cx={x} cy={y} r={r * 0.86} class="rim" />
      {side === 'X' ? (
        <circle cx={x} cy={y} r={r * 0.45} class="mark" />
      ) : (
        <path d={`M${x} ${y - r * 0.52}l${r * 0.52} ${r * 0.52}l${-r * 0.52} ${r * 0.52}l${-r * 0.52} ${-r * 0.52}z`} class="mark" />
      )}
    </g>
  );
}

export function Connect({ state, act, hint }: BoardProps) {
  const view = state.view as View;
  const width = view.rows[0]?.length ?? 0;
  const height = view.rows.length;
  const [hover, setHover] = useState<number | null>(null);
  const [focus, setFocus] = useState(Math.floor(width / 2));
  const layer = useRef<HTMLDivElement>(null);
  const before = useRef<{ ply: number; rows: string[]; fresh: Map<number, number> } | null>(null);

  // Discs that were not there in the position before fall, one after the other.
  const fresh = useMemo(() => {
    const known = before.current;
    const found: [number, number][] = [];
    if (known && known.rows.length === height && known.rows[0]?.length === width && known.ply < state.ply) {
      for (let cell = 0; cell < width * height; cell += 1) {
        const [x, y] = [cell % width, Math.floor(cell / width)];
        if (view.rows[y]?.[x] !== '.' && known.rows[y]?.[x] === '.') found.push([cell, 0]);
      }
    }
    const first = state.last.find((event) => typeof event.actor === 'number');
    const mover = first?.actor === 0 ? 'X' : 'O';
    found.sort((a, b) => {
      const side = (cell: number) => (view.rows[Math.floor(cell / width)]?.[cell % width] === mover ? 0 : 1);
      return side(a[0]) - side(b[0]);
    });
    const order = new Map(found.length <= 2 ? found.map(([cell], index) => [cell, index] as [number, number]) : []);
    before.current = { ply: state.ply, rows: view.rows, fresh: order };
    return order;
  }, [view.rows.join('/'), state.ply]);

  const side: 'X' | 'O' = state.toMove === 1 ? 'O' : 'X';
  const values = byAction(hint);
  const legal = new Set(act ? state.actions : []);
  const shown = hover ?? null;
  const won = new Set(view.line.map(([x, y]) => y * width + x));
  const newest = state.last.filter((event) => typeof event.actor === 'number').at(-1);
  const newestColumn = newest ? Number.parseInt(newest.action, 36) - 1 : -1;
  const newestRow = newestColumn < 0 ? -1 : view.rows.findIndex((row) => row[newestColumn] !== '.');

  const drop = (column: number) => {
    if (act && legal.has(digit(column))) act(digit(column));
  };
  const keyDown = (event: KeyboardEvent) => {
    let next = focus;
    if (event.key === 'ArrowLeft') next = Math.max(0, focus - 1);
    else if (event.key === 'ArrowRight') next = Math.min(width - 1, focus + 1);
    else if (event.key === 'Home') next = 0;
    else if (event.key === 'End') next = width - 1;
    else if (event.key === 'ArrowDown') {
      event.preventDefault();
      drop(focus);
      return;
    } else if (/^[0-9a-z]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const column = Number.parseInt(event.key, 36) - 1;
      if (column >= 0 && column < width) {
        event.preventDefault();
        drop(column);
      }
      return;
    } else return;
    event.preventDefault();
    setFocus(next);
    (layer.current?.children[next] as HTMLElement | undefined)?.focus();
  };

  const says = (column: number): string => {
    const discs = view.rows.map((row) => row[column]).filter((cell) => cell !== '.');
    const content = discs.length === 0 ? 'empty' : `from the bottom ${discs.reverse().join(' ')}`;
    const value = values.get(digit(column));
    const worth = value ? `, value ${formatValue(value.value, hint?.unit ?? '', value.certainty)}` : '';
    return `Column ${digit(column)}, ${content}${discs.length === height ? ', full' : ''}${worth}`;
  };

  return (
    <div class="board-scroll connect" style={{ '--columns': width, '--rows': height + 1, '--wide': width, '--high': height + 1 }}>
      <div class="board">
        <svg class="drawing" viewBox={`0 -100 ${width * 100} ${height * 100 + 100}`} aria-hidden="true">
          <defs>
            <pattern id="holes" width="100" height="100" patternUnits="userSpaceOnUse">
              <path fill-rule="evenodd" d="M0 0h100v100H0zM50 10a40 40 0 1 0 0 80a40 40 0 1 0 0-80z" class="wall" />
            </pattern>
            <pattern id="rims" width="100" height="100" patternUnits="userSpaceOnUse">
              <circle cx="50" cy="50" r="41" class="hole-rim" />
            </pattern>
            <clipPath id="wall">
              <rect width={width * 100} height={height * 100} rx="26" />
            </clipPath>
          </defs>
          <rect width={width * 100} height={height * 100} rx="26" class="behind" />
          {shown !== null && legal.has(digit(shown)) && (
            <>
              <rect x={shown * 100} y="-100" width="100" height={height * 100 + 100} rx="20" class="column-lit" />
              <Disc side={side} x={shown * 100 + 50} y={-50} ghost />
            </>
          )}
          {view.rows.flatMap((row, y) =>
            [...row].map((cell, x) => {
              if (cell === '.') return null;
              const order = fresh.get(y * width + x);
              return (
                <g
                  key={`${x}.${y}.${cell}`}
                  class={order === undefined ? '' : 'falls'}
                  style={{ '--from': `${-(y + 1) * 100}px`, '--time': `${180 + Math.sqrt(y + 1) * 130}ms`, '--wait': `${(order ?? 0) * 300}ms` }}
                >
                  <Disc side={cell as 'X' | 'O'} x={x * 100 + 50} y={y * 100 + 50} />
                </g>
              );
            }),
          )}
          <g clip-path="url(#wall)">
            <rect width={width * 100} height={height * 100} fill="url(#holes)" />
            <rect width={width * 100} height={height * 100} fill="url(#rims)" />
          </g>
          {newestRow >= 0 && won.size === 0 && <circle cx={newestColumn * 100 + 50} cy={newestRow * 100 + 50} r="45" class="newest" />}
          {[...won].map((cell) => (
            <circle key={cell} cx={(cell % width) * 100 + 50} cy={Math.floor(cell / width) * 100 + 50} r="44" class="won" />
          ))}
        </svg>
        <div ref={layer} class="columns" role="group" aria-label={`Board with ${width} columns`} onKeyDown={keyDown} onPointerLeave={() => setHover(null)}>
          {Array.from({ length: width }, (_, column) => (
            <button
              key={column}
              type="button"
              data-cell={digit(column)}
              class={legal.has(digit(column)) ? 'live' : ''}
              tabIndex={column === focus ? 0 : -1}
              aria-label={says(column)}
              onFocus={() => {
                setFocus(column);
                setHover(column);
              }}
              onBlur={() => setHover(null)}
              onPointerEnter={(event) => event.pointerType === 'mouse' && setHover(column)}
              onClick={() => drop(column)}
            />
          ))}
        </div>
      </div>
      <div class="under-columns" aria-hidden="true">
        {Array.from({ length: width }, (_, column) => {
          const value = values.get(digit(column));
          return (
            <span key={column} class={value ? `value ${tone(value.value, hint?.unit ?? '')} ${value.certainty} ${value.best ? 'best' : ''}` : 'name'}>
              {value ? formatValue(value.value, hint?.unit ?? '', value.certainty) : digit(column)}
            </span>
          );
        })}
      </div>
      {width > 8 && (
        <div class="column-pad" role="group" aria-label="Columns as buttons">
          {Array.from({ length: width }, (_, column) => (
            <button key={column} type="button" disabled={!legal.has(digit(column))} onClick={() => drop(column)}>
              {digit(column)}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

export function ConnectTable({ state }: { state: BoardProps['state'] }) {
  const view = state.view as View;
  const width = view.rows[0]?.length ?? 0;
  return (
    <BoardTable
      caption="The board, the top row first"
      rows={view.rows.map((row) => [...row].map((cell) => (cell === '.' ? 'empty' : cell)))}
      columnNames={Array.from({ length: width }, (_, column) => digit(column))}
      rowNames={view.rows.map((_, row) => `row ${view.rows.length - row}`)}
    />
  );
}
