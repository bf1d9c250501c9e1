// A board of cells: the drawing is an SVG, and above it lies a layer of buttons, one for each cell. The buttons take the pointer, touch,
// the keyboard (arrows move the focus, Enter acts) and screen readers.
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';

export interface Arrow {
  from: number;
  to: number;
  /** 0 … 1 */
  weight: number;
  label: string;
  best: boolean;
}

interface Props {
  columns: number;
  rows: number;
  label: string;
  cell: (cell: number) => { name: string; says: string; live?: boolean; selected?: boolean };
  onCell: (cell: number) => void;
  onAlternative?: (cell: number) => void;
  /** What follows the pointer when this cell is dragged; `null` if it cannot be. */
  drag?: (cell: number) => ComponentChildren | null;
  onDrop?: (from: number, to: number) => void;
  arrows?: Arrow[];
  flipped?: boolean;
  /** Space at the left and the top for coordinates, in hundredths of a cell. */
  margin?: number;
  class: string;
  children: ComponentChildren;
  above?: ComponentChildren;
}

const DRAG_PX = 6;
const LONG_PRESS_MS = 450;

export function spotOf(columns: number, rows: number, flipped: boolean) {
  return (cell: number): [number, number] => {
    const x = cell % columns;
    const y = Math.floor(cell / columns);
    return flipped ? [(columns - 1 - x) * 100, (rows - 1 - y) * 100] : [x * 100, y * 100];
  };
}

export function Grid(props: Props) {
  const { columns, rows, flipped = false, margin = 0 } = props;
  const count = columns * rows;
  const layer = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState(0);
  const [held, setHeld] = useState<{ cell: number; x: number; y: number } | null>(null);
  const press = useRef<{ cell: number; x: number; y: number; id: number; timer: number } | null>(null);
  const swallow = useRef(false);
  const spot = spotOf(columns, rows, flipped);
  const place = (index: number) => (flipped ? count - 1 - index : index);

  const cellAt = (x: number, y: number): number | null => {
    const box = layer.current?.getBoundingClientRect();
    if (!box || x < box.left || y < box.top || x >= box.right || y >= box.bottom) return null;
    const column = Math.floor(((x - box.left) / box.width) * columns);
    const row = Math.floor(((y - box.top) / box.height) * rows);
    return place(row * columns + column);
  };

  const keyDown = (event: KeyboardEvent) => {
    const column = focus % columns;
    let next = focus;
    if (event.key === 'ArrowLeft') next = column > 0 ? focus - 1 : focus;
    else if (event.key === 'ArrowRight') next = column < columns - 1 ? focus + 1 : focus;
    else if (event.key === 'ArrowUp') next = focus - columns;
    else if (event.key === 'ArrowDown') next = focus + columns;
    else if (event.key === 'Home') next = focus - column;
    else if (event.key === 'End') next = focus - column + columns - 1;
    else if (event.key.toLowerCase() === 'f' && props.onAlternative && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      props.onAlternative(place(focus));
      return;
    } else return;
    event.preventDefault();
    if (next < 0 || next >= count) return;
    setFocus(next);
    (layer.current?.children[next] as HTMLElement | undefined)?.focus();
  };

  const pointerDown = (event: PointerEvent, cell: number) => {
    swallow.current = false;
    if (event.button !== 0) return;
    const timer =
      props.onAlternative && event.pointerType !== 'mouse'
        ? setTimeout(() => {
            swallow.current = true;
            press.current = null;
            navigator.vibrate?.(15);
            props.onAlternative?.(cell);
          }, LONG_PRESS_MS)
        : 0;
    press.current = { cell, x: event.clientX, y: event.clientY, id: event.pointerId, timer: timer as number };
  };

  const toBoard = (event: PointerEvent): [number, number] => {
    const box = (layer.current as HTMLElement).getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * columns * 100, ((event.clientY - box.top) / box.height) * rows * 100];
  };

  const pointerMove = (event: PointerEvent) => {
    const begun = press.current;
    if (!begun || begun.id !== event.pointerId) return;
    if (held === null) {
      if (Math.hypot(event.clientX - begun.x, event.clientY - begun.y) < DRAG_PX) return;
      clearTimeout(begun.timer);
      if (!props.drag || props.drag(begun.cell) === null) return;
      layer.current?.setPointerCapture(event.pointerId);
    }
    const [x, y] = toBoard(event);
    setHeld({ cell: begun.cell, x, y });
  };

  const pointerUp = (event: PointerEvent) => {
    const begun = press.current;
    press.current = null;
    if (!begun) return;
    clearTimeout(begun.timer);
    if (held === null) return;
    swallow.current = true;
    setHeld(null);
    const to = cellAt(event.clientX, event.clientY);
    if (event.type === 'pointerup' && to !== null && to !== begun.cell) props.onDrop?.(begun.cell, to);
  };

  const click = (cell: number) => {
    if (swallow.current) {
      swallow.current = false;
      return;
    }
    props.onCell(cell);
  };

  const width = columns * 100 + margin;
  const height = rows * 100 + margin;
  const percent = (part: number, whole: number) => `${(part / whole) * 100}%`;
  return (
    <div class={`board-scroll ${props.class}`} style={{ '--columns': columns, '--rows': rows, '--wide': width / 100, '--high': height / 100 }}>
      <div class="board">
        <svg class="drawing" viewBox={`${-margin} ${-margin} ${width} ${height}`} aria-hidden="true">
          {props.children}
          {(props.arrows ?? []).length > 0 && <Arrows arrows={props.arrows as Arrow[]} spot={spot} />}
          {held !== null && (
            <g class="held" transform={`translate(${held.x - 50} ${held.y - 50})`}>
              {props.drag?.(held.cell)}
            </g>
          )}
        </svg>
        <div
          ref={layer}
          class="cells"
          role="group"
          aria-label={props.label}
          style={{
            left: percent(margin, width),
            top: percent(margin, height),
            gridTemplateColumns: `repeat(${columns}, 1fr)`,
            gridTemplateRows: `repeat(${rows}, 1fr)`,
          }}
          onKeyDown={keyDown}
          onPointerMove={pointerMove}
          onPointerUp={pointerUp}
          onPointerCancel={pointerUp}
        >
          {Array.from({ length: count }, (_, index) => {
            const cell = place(index);
            const about = props.cell(cell);
            return (
              <button
                key={cell}
                type="button"
                data-cell={about.name}
                class={`${about.live ? 'live' : ''} ${about.selected ? 'selected' : ''} ${props.drag?.(cell) ? 'grab' : ''}`}
                aria-label={about.says}
                aria-pressed={about.selected === undefined ? undefined : about.selected}
                tabIndex={index === Math.min(focus, count - 1) ? 0 : -1}
                onFocus={() => setFocus(index)}
                onClick={() => click(cell)}
                onPointerDown={(event) => pointerDown(event, cell)}
                onContextMenu={(event) => {
                  if (!props.onAlternative) return;
                  event.preventDefault();
                  if (press.current === null && !swallow.current) props.onAlternative(cell);
                }}
              />
            );
          })}
        </div>
        {props.above}
      </div>
    </div>
  );
}

function Arrows({ arrows, spot }: { arrows: Arrow[]; spot: (cell: number) => [number, number] }) {
  // The best arrow is drawn last, above the others.
  return (
    <g class="arrows">
      {[...arrows].reverse().map((arrow) => {
        const [x1, y1] = spot(arrow.from);
        const [x2, y2] = spot(arrow.to);
        const long = Math.hypot(x2 - x1, y2 - y1) || 1;
        const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long];
        const wide = 5 + 13 * arrow.weight;
        const head = wide * 1.9 + 6;
        const [sx, sy] = [x1 + 50 + dx * 22, y1 + 50 + dy * 22];
        const [ex, ey] = [x2 + 50 - dx * 8, y2 + 50 - dy * 8];
        const [bx, by] = [ex - dx * head, ey - dy * head];
        const side = head * 0.62;
        return (
          <g key={`${arrow.from}-${arrow.to}`} class={arrow.best ? 'arrow best' : 'arrow'}>
            <line x1={sx} y1={sy} x2={bx} y2={by} stroke-width={wide} />
            <polygon points={`${ex},${ey} ${bx - dy * side},${by + dx * side} ${bx + dy * side},${by - dx * side}`} />
          </g>
        );
      })}
      {arrows.map((arrow, index) => {
        if (index > 2) return null;
        const [x, y] = spot(arrow.to);
        // Before the tip, so that the tags of arrows that cross lie apart; those with the same tip lie above each other.
        const side = spot(arrow.from)[1] > y ? -1 : 1;
        const others = arrows.slice(0, index).filter((other) => other.to === arrow.to).length;
        return <Tag key={`${arrow.from}-${arrow.to}`} x={x + 50} y={y + 50 + side * (33 - 36 * others)} text={arrow.label} best={arrow.best} />;
      })}
    </g>
  );
}

/** A value on a plate, readable on any ground. */
export function Tag({ x, y, text, best, size = 22 }: { x: number; y: number; text: string; best: boolean; size?: number }) {
  const wide = text.length * size * 0.62 + size * 0.7;
  return (
    <g class={best ? 'tag best' : 'tag'} transform={`translate(${x} ${y})`}>
      <rect x={-wide / 2} y={-size * 0.75} width={wide} height={size * 1.5} rx={size * 0.4} />
      <text text-anchor="middle" dominant-baseline="central" font-size={size}>
        {text}
      </text>
    </g>
  );
}

/** The same board as a table, for screen readers and for whoever wants to copy it. */
export function BoardTable({ rows, caption, columnNames, rowNames }: { rows: string[][]; caption: string; columnNames: string[]; rowNames: string[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="plain">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <td />
            {columnNames.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowNames[index]}>
              <th scope="row">{rowNames[index]}</th>
              {row.map((cell, column) => (
                <td key={columnNames[column]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
