// A chart of curves with bands and published points. The drawing is for the eye; the same numbers are in a table for everybody else.
import { useState } from 'preact/hooks';
import { useNarrow } from './ui';

export interface ChartPoint {
  x: number;
  y: number;
  low?: number | null;
  high?: number | null;
}

export interface Series {
  name: string;
  points: ChartPoint[];
  published?: ChartPoint[];
}

interface Props {
  series: Series[];
  xLabel: string;
  yLabel: string;
  title: string;
  height?: number;
  zero?: boolean;
  mark?: number | null;
  onPick?: (x: number) => void;
}

const LEFT = 56;
const RIGHT = 16;
const TOP = 14;
const BOTTOM = 44;

/** Round numbers for an axis. */
export function ticks(low: number, high: number, most: number): number[] {
  const span = high - low || 1;
  const raw = span / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw) ?? power * 10;
  const found: number[] = [];
  for (let tick = Math.ceil(low / step - 1e-9) * step; tick <= high + step * 1e-6; tick += step) found.push(Math.abs(tick) < step * 1e-6 ? 0 : tick);
  return found;
}

function number(value: number): string {
  const size = Math.abs(value);
  if (size >= 10_000) return `${+(value / 1000).toFixed(1)}k`;
  return String(+value.toFixed(size >= 100 ? 0 : size >= 1 ? 2 : 3)).replace('-', '−');
}

export function Chart({ series, xLabel, yLabel, title, height = 300, zero = false, mark = null, onPick }: Props) {
  const [over, setOver] = useState<number | null>(null);
  const WIDTH = useNarrow() || height < 250 ? 400 : 720;
  const all = series.flatMap((one) => [...one.points, ...(one.published ?? [])]);
  if (all.length === 0) return <p class="soft">No points yet.</p>;
  const xs = all.map((point) => point.x);
  const ys = all.flatMap((point) => [point.y, point.low ?? point.y, point.high ?? point.y]);
  let [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  let [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  if (zero) [y0, y1] = [Math.min(y0, 0), Math.max(y1, 0)];
  if (x0 === x1) [x0, x1] = [x0 - 0.5, x1 + 0.5];
  const pad = (y1 - y0 || 1) * 0.06;
  [y0, y1] = [y0 - pad, y1 + pad];
  const px = (x: number) => LEFT + ((x - x0) / (x1 - x0)) * (WIDTH - LEFT - RIGHT);
  const py = (y: number) => TOP + (1 - (y - y0) / (y1 - y0)) * (height - TOP - BOTTOM);
  const sorted = series.map((one) => ({ ...one, points: [...one.points].sort((a, b) => a.x - b.x) }));
  const path = (points: ChartPoint[]) => points.map((point, index) => `${index === 0 ? 'M' : 'L'}${px(point.x).toFixed(1)} ${py(point.y).toFixed(1)}`).join('');
  const band = (points: ChartPoint[]) => {
    const known = points.filter((point) => point.low != null && point.high != null);
    if (known.length < 2) return '';
    const up = known.map((point, index) => `${index === 0 ? 'M' : 'L'}${px(point.x).toFixed(1)} ${py(point.high as number).toFixed(1)}`);
    const down = [...known].reverse().map((point) => `L${px(point.x).toFixed(1)} ${py(point.low as number).toFixed(1)}`);
    return `${up.join('')}${down.join('')}Z`;
  };
  const nearest = (event: PointerEvent): number | null => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    let found: number | null = null;
    for (const x of xs) if (found === null || Math.abs(px(x) - at) < Math.abs(px(found) - at)) found = x;
    return found;
  };
  const shown = over ?? mark;
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        aria-hidden="true"
        class={onPick ? 'pick' : ''}
        onPointerMove={(event) => setOver(nearest(event))}
        onPointerLeave={() => setOver(null)}
        onClick={(event) => {
          const x = nearest(event as unknown as PointerEvent);
          if (x !== null) onPick?.(x);
        }}
      >
        {ticks(y0, y1, 5).map((tick) => (
          <g key={tick}>
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={py(tick)} y2={py(tick)} class={tick === 0 ? 'axis-zero' : 'grid-line'} />
            <text x={LEFT - 8} y={py(tick)} text-anchor="end" dominant-baseline="central">
              {number(tick)}
            </text>
          </g>
        ))}
        {ticks(x0, x1, WIDTH / 90).map((tick) => (
          <text key={tick} x={px(tick)} y={height - BOTTOM + 18} text-anchor="middle">
            {number(tick)}
          </text>
        ))}
        <line x1={LEFT} x2={WIDTH - RIGHT} y1={height - BOTTOM} y2={height - BOTTOM} class="axis" />
        <text x={(LEFT + WIDTH - RIGHT) / 2} y={height - 6} text-anchor="middle" class="axis-name">
          {xLabel}
        </text>
        <text x={-(TOP + height - BOTTOM) / 2} y={13} text-anchor="middle" transform="rotate(-90)" class="axis-name">
          {yLabel}
        </text>
        {shown !== null && <line x1={px(shown)} x2={px(shown)} y1={TOP} y2={height - BOTTOM} class="cursor" />}
        {sorted.map((one, index) => (
          <g key={one.name} class={`series s${index % 6}`}>
            <path d={band(one.points)} class="band" />
            <path d={path(one.points)} class="curve" />
            {one.points.length <= 60 && one.points.map((point) => <circle key={point.x} cx={px(point.x)} cy={py(point.y)} r="3" class="dot" />)}
            {(one.published ?? []).map((point) => (
              <path key={`${point.x}p`} d={`M${px(point.x)} ${py(point.y) - 6}l6 6-6 6-6-6z`} class="published" />
            ))}
            {shown !== null &&
              one.points.filter((point) => point.x === shown).map((point) => <circle key="over" cx={px(point.x)} cy={py(point.y)} r="5" class="dot over" />)}
          </g>
        ))}
      </svg>
      <figcaption>
        <span class="chart-title">{title}</span>
        <span class="legend">
          {sorted.map((one, index) => (
            <span key={one.name} class={`key s${index % 6}`}>
              <svg width="22" height="10" viewBox="0 0 22 10" aria-hidden="true">
                <path d="M0 5h22" class="curve" />
              </svg>
              {one.name}
              {shown !== null && one.points.some((point) => point.x === shown) && (
                <b> {number((one.points.find((point) => point.x === shown) as ChartPoint).y)}</b>
              )}
            </span>
          ))}
          {series.some((one) => (one.published ?? []).length > 0) && (
            <span class="key">
              <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
                <path d="M0-6l6 6-6 6-6-6z" class="published" />
              </svg>
              published
            </span>
          )}
        </span>
      </figcaption>
      <details class="chart-table">
        <summary>Numbers</summary>
        <div class="scroll" tabIndex={0} role="region" aria-label={`${title}, as numbers`}>
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">series</th>
                <th scope="col">{xLabel}</th>
                <th scope="col">{yLabel}</th>
                <th scope="col">95 % interval</th>
              </tr>
            </thead>
            <tbody>
              {sorted.flatMap((one) =>
                one.points.map((point) => (
                  <tr key={`${one.name}.${point.x}`}>
                    <th scope="row">{one.name}</th>
                    <td>{number(point.x)}</td>
                    <td>{number(point.y)}</td>
                    <td>{point.low != null && point.high != null ? `${number(point.low)} … ${number(point.high)}` : ''}</td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
