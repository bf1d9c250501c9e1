import { useEffect, useState } from 'preact/hooks';
import { BoardTable, Grid, spotOf } from './grid';
import { type BoardProps, letters } from './state';

interface View {
  rows: string[];
  mines: number;
  to_open: number;
}

const HIDDEN = new Set(['#', '?']);

function percent(p: number): string {
  if (p <= 0) return '0%';
  if (p >= 1) return '100%';
  const text = Math.round(p * 100);
  return text === 0 ? '<1%' : text === 100 ? '>99%' : `${text}%`;
}

export function Mine() {
  return (
    <g class="mine">
      <path d="M50 18v64M18 50h64M27 27l46 46M73 27L27 73" />
      <circle cx="50" cy="50" r="23" />
      <circle cx="42" cy="42" r="6" class="shine" />
    </g>
  );
}

export function Minesweeper({ state, act, hint }: BoardProps) {
  const view = state.view as View;
  const height = view.rows.length;
  const width = view.rows[0]?.length ?? 0;
  const cells = view.rows.flatMap((row) => [...row]);
  // Flags are notes of this page; the game does not know them.
  const [flags, setFlags] = useState<Set<number>>(new Set());
  const [flagging, setFlagging] = useState(false);
  useEffect(() => setFlags(new Set()), [state.game]);
  const name = (cell: number) => `${letters(cell % width)}${Math.floor(cell / width) + 1}`;
  const legal = new Set(act ? state.actions : []);
  const spot = spotOf(width, height, false);
  const odds = new Map(hint?.odds?.mines ?? []);
  const open = [...odds].filter(([cell]) => legal.has(cell));
  const least = Math.min(...open.map(([, p]) => p));
  const mines = new Set(state.mines ?? []);
  const lost = cells.includes('*');
  const hinted = hint?.best ?? null;

  const flag = (cell: number) => {
    if (!HIDDEN.has(cells[cell] as string) || state.over) return;
    const next = new Set(flags);
    if (!next.delete(cell)) next.add(cell);
    setFlags(next);
  };
  const onCell = (cell: number) => {
    if (flagging) flag(cell);
    else if (legal.has(name(cell)) && !flags.has(cell)) act?.(name(cell));
  };
  const says = (cell: number): string => {
    const content = cells[cell] as string;
    const p = odds.get(name(cell));
    const hidden = flags.has(cell) ? 'covered, flag' : 'covered';
    const known = state.over && mines.has(name(cell)) ? ', mine' : '';
    return `${name(cell)}, ${content === '*' ? 'mine that exploded' : HIDDEN.has(content) ? hidden + known : content === '0' ? 'open, no mine beside it' : content}${p === undefined ? '' : `, mine with ${percent(p)}`}`;
  };
  return (
    <>
      <Grid
        class="minesweeper"
        columns={width}
        rows={height}
        margin={42}
        label={`Board, ${width} by ${height}, ${view.mines} mines`}
        cell={(cell) => ({ name: name(cell), says: says(cell), live: legal.has(name(cell)) && !flags.has(cell) })}
        onCell={onCell}
        onAlternative={flag}
      >
        {Array.from({ length: width }, (_, x) => (
          <text key={x} x={x * 100 + 50} y={-16} text-anchor="middle" class="coordinate outside">
            {letters(x)}
          </text>
        ))}
        {Array.from({ length: height }, (_, y) => (
          <text key={y} x={-20} y={y * 100 + 56} text-anchor="middle" class="coordinate outside">
            {y + 1}
          </text>
        ))}
        {cells.map((content, cell) => {
          const [x, y] = spot(cell);
          const covered = HIDDEN.has(content);
          const p = covered && !flags.has(cell) ? odds.get(name(cell)) : undefined;
          const safe = p === 0;
          const best = p !== undefined && (name(cell) === hinted || p === least);
          return (
            <g key={cell} transform={`translate(${x} ${y})`}>
              <rect x="2.5" y="2.5" width="95" height="95" rx="9" class={content === '*' ? 'mine-hit' : covered ? 'mine-covered' : 'mine-open'} />
              {covered && <path d="M6 91V12a6 6 0 0 1 6-6h79" class="mine-light" />}
              {/[1-8]/.test(content) && (
                <text x="50" y="54" class={`mine-number n${content}`} text-anchor="middle" dominant-baseline="central">
                  {content}
                </text>
              )}
              {content === '*' && <Mine />}
              {covered && state.over && mines.has(name(cell)) && <Mine />}
              {flags.has(cell) && covered && !(state.over && mines.has(name(cell))) && <path d="M36 80V22M36 24l34 15-34 15" class="mine-flag" />}
              {state.over && flags.has(cell) && covered && lost && !mines.has(name(cell)) && <path d="M22 22l56 56M78 22L22 78" class="wrong-flag" />}
              {p !== undefined && !state.over && (
                <>
                  <rect x="8" y="8" width="84" height="84" rx="7" class={safe ? 'odds safe' : p >= 1 ? 'odds sure' : 'odds'} style={{ '--p': p }} />
                  {best && !(safe && name(cell) !== hinted) && <rect x="6" y="6" width="88" height="88" rx="8" class="odds-best" />}
                  <text x="50" y="53" text-anchor="middle" dominant-baseline="central" class={`odds-text${p >= 1 ? ' sure' : safe ? ' safe' : ''}`} font-size={percent(p).length > 3 ? 25 : 31}>
                    {percent(p)}
                  </text>
                </>
              )}
            </g>
          );
        })}
      </Grid>
      {act && (
        <div class="row board-tools">
          <button type="button" class="button" aria-pressed={flagging} onClick={() => setFlagging(!flagging)}>
            <svg viewBox="0 0 100 100" width="20" height="20" aria-hidden="true">
              <path d="M36 88V12M36 14l40 19-40 19" class="mine-flag" />
            </svg>
            <span>Flags</span>
          </button>
          <span class="soft">
            {view.mines - flags.size} of {view.mines} {view.mines === 1 ? 'mine' : 'mines'} unflagged · {view.to_open} {view.to_open === 1 ? 'cell' : 'cells'} to open
          </span>
        </div>
      )}
    </>
  );
}

export function MinesweeperTable({ state }: { state: BoardProps['state'] }) {
  const view = state.view as View;
  return (
    <BoardTable
      caption="The board"
      rows={view.rows.map((row) => [...row].map((cell) => (HIDDEN.has(cell) ? 'covered' : cell === '*' ? 'mine' : cell)))}
      columnNames={[...(view.rows[0] ?? '')].map((_, column) => letters(column))}
      rowNames={view.rows.map((_, row) => String(row + 1))}
    />
  );
}
