import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { parseSpec } from '../spec';
import type { Hint } from '../types';
import { type End, layOut, type LogEntry, type Slot } from './layout';
import { type BoardProps, byAction, formatValue, tone } from './state';
import { useNarrow } from '../ui';
import { Tile, TileBack, TileFace, tileName } from './tiles';

interface View {
  seat: number;
  hand: string[];
  other: number;
  shown: string[] | null;
  boneyard: number;
  awaits: string;
  ends: { end: string; pips: number; value: number }[];
  count: number;
  stage: number;
  scores: [number, number];
  ended: { out: number | null; points: [number, number] | number[] } | null;
  log: LogEntry[];
}

const ARROWS: Record<string, string> = { left: '←', right: '→', up: '↑', down: '↓', start: '•' };
const WORDS: Record<string, string> = { left: 'at the left', right: 'at the right', up: 'on the upper arm', down: 'on the lower arm', start: 'as the first tile' };

export function Dominoes({ state, act, hint }: BoardProps) {
  const view = state.view as View;
  const narrow = useNarrow();
  const [chosen, setChosen] = useState<string | null>(null);
  const [drag, setDrag] = useState<{ tile: string; x: number; y: number } | null>(null);
  const table = useRef<HTMLDivElement>(null);
  const hand = useRef<HTMLDivElement>(null);
  const [focus, setFocus] = useState(0);
  const press = useRef<{ tile: string; x: number; y: number; id: number } | null>(null);
  const swallow = useRef(false);
  useEffect(() => setChosen(null), [state.ply, state.actions.join()]);

  const actions = act ? state.actions : [];
  const held = drag?.tile ?? chosen;
  const fits = (tile: string) => actions.filter((action) => action.startsWith(`${tile}@`)).map((action) => action.slice(3));
  const rule = parseSpec(state.game).keys.spinner ?? 'first-double';
  const openEnds = view.log.some((entry) => entry.action.includes('@')) ? view.ends.map((end) => end.end) : [];
  const layout = useMemo(
    () => layOut(view.log, rule, openEnds, held !== null && held[0] === held[1], narrow),
    [view.log.length, view.stage, held, narrow, openEnds.join()],
  );
  const values = byAction(hint);
  const lastPlay = [...view.log].reverse().find((entry) => entry.action.includes('@'));

  // The drawing shows all tiles and slots with a margin, and never zooms in beyond the first tiles.
  const aspect = narrow ? 0.92 : 1.75;
  const wide = Math.max(layout.right - layout.left + 1.6, narrow ? 8 : 13);
  const high = Math.max(layout.bottom - layout.top + 1.4, narrow ? 8 : 7);
  const units = Math.max(wide, high * aspect);
  const [boxWide, boxHigh] = [units, units / aspect];
  const left = (layout.left + layout.right) / 2 - boxWide / 2;
  const top = (layout.top + layout.bottom) / 2 - boxHigh / 2;
  const scale = 1000 / (boxWide * 100);
  const percent = (slot: Slot) => ({
    left: `${((slot.x - (slot.across ? 1 : 0.5) - left) / boxWide) * 100}%`,
    top: `${((slot.y - (slot.across ? 0.5 : 1) - top) / boxHigh) * 100}%`,
    width: `${((slot.across ? 2 : 1) / boxWide) * 100}%`,
    height: `${((slot.across ? 1 : 2) / boxHigh) * 100}%`,
  });

  const play = (tile: string, end: string) => {
    setChosen(null);
    act?.(`${tile}@${end}`);
  };
  const choose = (tile: string) => {
    const ends = fits(tile);
    if (ends.length === 1 && (chosen === tile || ends[0] !== undefined)) play(tile, ends[0] as string);
    else if (ends.length > 1) {
      setChosen(chosen === tile ? null : tile);
      requestAnimationFrame(() => table.current?.querySelector<HTMLElement>('.slot.live')?.focus());
    }
  };

  const slots = layout.slots.filter((slot) => held !== null && fits(held).includes(slot.end));
  const slotKeys = (event: KeyboardEvent, index: number) => {
    if (event.key === 'Escape') {
      setChosen(null);
      (hand.current?.children[focus] as HTMLElement | undefined)?.focus();
    } else if (event.key.startsWith('Arrow')) {
      event.preventDefault();
      const all = [...(table.current?.querySelectorAll<HTMLElement>('.slot.live') ?? [])];
      const next = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? index + 1 : index - 1 + all.length;
      all[next % all.length]?.focus();
    }
  };
  const handKeys = (event: KeyboardEvent) => {
    let next = focus;
    if (event.key === 'ArrowLeft') next = focus - 1;
    else if (event.key === 'ArrowRight') next = focus + 1;
    else if (event.key === 'Home') next = 0;
    else if (event.key === 'End') next = view.hand.length - 1;
    else return;
    event.preventDefault();
    next = Math.max(0, Math.min(view.hand.length - 1, next));
    setFocus(next);
    (hand.current?.children[next] as HTMLElement | undefined)?.focus();
  };

  const nearest = (x: number, y: number, tile: string): string | null => {
    const ends = fits(tile);
    let found: string | null = null;
    let least = 90;
    for (const element of table.current?.querySelectorAll<HTMLElement>('.slot') ?? []) {
      const box = element.getBoundingClientRect();
      const away = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
      if (away < least && ends.includes(element.dataset.end as string)) [found, least] = [element.dataset.end as string, away];
    }
    const box = table.current?.getBoundingClientRect();
    if (found === null && ends.length === 1 && box && x > box.left && x < box.right && y > box.top && y < box.bottom) return ends[0] as string;
    return found;
  };
  const pointerDown = (event: PointerEvent, tile: string) => {
    swallow.current = false;
    if (event.button === 0 && fits(tile).length > 0) press.current = { tile, x: event.clientX, y: event.clientY, id: event.pointerId };
  };
  const pointerMove = (event: PointerEvent) => {
    const begun = press.current;
    if (!begun || begun.id !== event.pointerId) return;
    if (drag === null) {
      if (Math.hypot(event.clientX - begun.x, event.clientY - begun.y) < 6) return;
      hand.current?.setPointerCapture(event.pointerId);
      setChosen(null);
    }
    setDrag({ tile: begun.tile, x: event.clientX, y: event.clientY });
  };
  const pointerUp = (event: PointerEvent) => {
    const begun = press.current;
    press.current = null;
    if (drag === null || !begun) return;
    swallow.current = true;
    setDrag(null);
    const end = event.type === 'pointerup' ? nearest(event.clientX, event.clientY, begun.tile) : null;
    if (end) play(begun.tile, end);
  };

  const bestOf = (tile: string) => {
    const found = [...values.values()].filter((value) => value.action.startsWith(`${tile}@`));
    return found.sort((a, b) => b.value - a.value)[0] ?? null;
  };
  const glow = (slot: Slot) => view.ends.find((end) => end.end === slot.end);
  const others = view.shown ?? null;
  const seated = state.seat !== null || view.seat !== undefined;
  return (
    <div class="dominoes">
      <div class="other-hand" role="img" aria-label={others ? `The other hand: ${others.map(tileName).join(', ') || 'empty'}` : `The other hand: ${view.other} ${view.other === 1 ? 'tile' : 'tiles'}`}>
        {others
          ? others.map((tile) => <Tile key={tile} tile={tile} />)
          : Array.from({ length: view.other }, (_, index) => (
              <svg key={index} class="tile-image" viewBox="0 0 100 203" aria-hidden="true">
                <TileBack />
              </svg>
            ))}
        <span class="boneyard">
          <svg class="tile-image" viewBox="0 0 100 203" aria-hidden="true">
            <TileBack />
          </svg>
          <span>
            <b>{view.boneyard}</b> in the boneyard
          </span>
        </span>
      </div>
      <div ref={table} class="felt-table" style={{ aspectRatio: String(aspect) }}>
        <svg class="drawing" viewBox={`0 0 1000 ${1000 / aspect}`} aria-hidden="true">
          <g class="line" style={{ transform: `scale(${scale}) translate(${-left * 100}px, ${-top * 100}px)` }}>
            {layout.tiles.map((tile) => (
              <g
                key={`${view.stage}.${tile.tile}`}
                class="laid"
                style={{ transform: `translate(${(tile.x - (tile.across ? 1 : 0.5)) * 100}px, ${(tile.y - (tile.across ? 0.5 : 1)) * 100}px)` }}
              >
                <g class="lands">
                  {tile.spinner && <rect x={-7} y={-7} width={tile.across ? 214 : 114} height={tile.across ? 114 : 214} rx="22" class="spinner-ring" />}
                  <TileFace low={tile.low} high={tile.high} across={tile.across} />
                  {lastPlay && view.log.indexOf(lastPlay) === tile.number && <rect x="1" y="1" width={tile.across ? 198 : 98} height={tile.across ? 98 : 198} rx="16" class="tile-last" />}
                </g>
              </g>
            ))}
          </g>
        </svg>
        {layout.slots.map((slot) => {
          const live = slots.includes(slot);
          const end = glow(slot);
          const value = held ? values.get(`${held}@${slot.end}`) : undefined;
          if (!live) return held === null || drag !== null ? <span key={slot.end} class="slot" data-end={slot.end} style={percent(slot)} /> : null;
          return (
            <button
              key={slot.end}
              type="button"
              class="slot live"
              data-end={slot.end}
              style={percent(slot)}
              aria-label={`Play ${tileName(held as string)} ${WORDS[slot.end]}${value ? `, value ${formatValue(value.value, hint?.unit ?? '', value.certainty)}` : ''}`}
              title={end ? `${end.pips} is open here` : undefined}
              onClick={() => play(held as string, slot.end)}
              onKeyDown={(event) => slotKeys(event, slots.indexOf(slot))}
            >
              {value && <span class={`value ${value.best ? 'best' : ''} ${tone(value.value, hint?.unit ?? '')}`}>{formatValue(value.value, hint?.unit ?? '', value.certainty)}</span>}
            </button>
          );
        })}
        <div class="count">
          <span>
            count <b>{view.count}</b>
          </span>
          {lastPlay && lastPlay.points > 0 && (
            <span class="fives" key={view.log.length}>
              +{lastPlay.points}
            </span>
          )}
        </div>
        {layout.tiles.length === 0 && <p class="felt-note">{view.awaits === 'lead' || view.awaits === 'deal' ? 'The tiles are dealt.' : 'No tile is on the table yet.'}</p>}
      </div>
      {seated && (
        <div
          ref={hand}
          class="hand"
          role="group"
          aria-label="Your tiles"
          onKeyDown={handKeys}
          onPointerMove={pointerMove}
          onPointerUp={pointerUp}
          onPointerCancel={pointerUp}
        >
          {view.hand.map((tile, index) => {
            const ends = fits(tile);
            const value = bestOf(tile);
            return (
              <button
                key={tile}
                type="button"
                data-tile={tile}
                class={`hand-tile ${ends.length > 0 ? 'live' : act && !state.over ? 'dull' : ''} ${held === tile ? 'chosen' : ''} ${drag?.tile === tile ? 'away' : ''}`}
                tabIndex={index === Math.min(focus, view.hand.length - 1) ? 0 : -1}
                aria-pressed={chosen === tile}
                aria-label={`${tileName(tile)}${ends.length > 0 ? `, fits ${ends.map((end) => WORDS[end]).join(' and ')}` : act ? ', does not fit' : ''}`}
                onFocus={() => setFocus(index)}
                onPointerDown={(event) => pointerDown(event, tile)}
                onClick={() => {
                  if (swallow.current) swallow.current = false;
                  else choose(tile);
                }}
              >
                <Tile tile={tile} />
                {value && (
                  <span class={`value ${value.best ? 'best' : ''} ${tone(value.value, hint?.unit ?? '')}`}>
                    {formatValue(value.value, hint?.unit ?? '', value.certainty)}
                    {ends.length > 1 ? ARROWS[value.action.slice(3)] : ''}
                  </span>
                )}
              </button>
            );
          })}
        </div>
      )}
      {actions.includes('pass') && (
        <button type="button" class="button main" onClick={() => act?.('pass')}>
          Pass: nothing fits and nothing may be drawn
        </button>
      )}
      {drag && (
        <div class="dragged" style={{ left: `${drag.x}px`, top: `${drag.y}px` }}>
          <Tile tile={drag.tile} />
        </div>
      )}
    </div>
  );
}

export function DominoesNote({ state }: { state: BoardProps['state'] }) {
  const view = state.view as View;
  const target = parseSpec(state.game).keys.target;
  const drew = state.last.filter((event) => event.action === 'draw:??').length;
  return (
    <p class="board-note">
      {target !== 'none' && <>Stage {view.stage}, to {target} points. </>}
      Ends:{' '}
      {view.ends.length === 0
        ? 'none yet'
        : view.ends
            .filter((end) => end.value > 0 || end.end === 'left' || end.end === 'right')
            .map((end) => `${ARROWS[end.end]} ${end.pips}`)
            .join('  ')}
      {drew > 0 && ` · the other seat drew ${drew} ${drew === 1 ? 'tile' : 'tiles'}`}
    </p>
  );
}

export function DominoesTable({ state }: { state: BoardProps['state'] }) {
  const view = state.view as View;
  const plays = view.log.filter((entry) => entry.action.includes('@'));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="The line in words">
      <table class="plain">
        <caption>The line, in the order of play; count {view.count}</caption>
        <thead>
          <tr>
            <th scope="col">tile</th>
            <th scope="col">end</th>
            <th scope="col">by</th>
            <th scope="col">points</th>
          </tr>
        </thead>
        <tbody>
          {plays.map((entry, index) => (
            <tr key={index}>
              <th scope="row">{tileName(entry.action)}</th>
              <td>{entry.action.slice(3)}</td>
              <td>{entry.seat === view.seat ? 'this seat' : 'the other seat'}</td>
              <td>{entry.points}</td>
            </tr>
          ))}
          {view.ends.map((end) => (
            <tr key={end.end}>
              <th scope="row">open end</th>
              <td>{end.end as End}</td>
              <td>fits {end.pips}</td>
              <td>counts {end.value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A bar for each unseen tile, what is certain as chips, and after the end the truth. */
export function Beliefs({ hint, truth }: { hint: Hint; truth: Record<string, string> | undefined }) {
  const beliefs = hint.beliefs;
  // Odds of mines are drawn in their cells.
  if (!beliefs || !beliefs.odds.every(([thing]) => /^\d\d$/.test(thing))) return null;
  const certain = new Map(hint.certain ?? beliefs.odds.flatMap(([thing, p]) => (p.some((x) => x >= 1 - 1e-12) && beliefs.sample_size === null ? [[thing, beliefs.places[p.findIndex((x) => x >= 1 - 1e-12)] as string]] : [])));
  const open = beliefs.odds.filter(([thing]) => !certain.has(thing)).sort((a, b) => (b[1][0] ?? 0) - (a[1][0] ?? 0));
  const [here, there] = beliefs.places;
  return (
    <section class="beliefs" aria-label="Hidden tiles">
      <h2>Hidden tiles</h2>
      {hint.facts && hint.facts.length > 0 && (
        <ul class="chips">
          {hint.facts.map((fact) => (
            <li key={fact} class="chip certain">
              {fact}
            </li>
          ))}
        </ul>
      )}
      {certain.size > 0 && (
        <>
          <h3>Certain</h3>
          <ul class="chips">
            {[...certain].map(([thing, place]) => (
              <li key={thing} class="chip certain">
                <b>{tileName(thing)}</b> {place}
              </li>
            ))}
          </ul>
        </>
      )}
      {open.length > 0 && (
        <>
          <h3>
            Inferred <span class="soft">{beliefs.basis}</span>
          </h3>
          <div class="legend">
            <span>{here}</span>
            <span>{there}</span>
          </div>
          <ul class="bars">
            {open.map(([thing, p]) => (
              <li key={thing}>
                <span class="bar-tile">
                  <Tile tile={thing} across />
                  <span class="hidden-text">{tileName(thing)}</span>
                </span>
                <span class="bar">
                  <span class="bar-in" style={{ width: `${(p[0] ?? 0) * 100}%` }} />
                </span>
                <span class="bar-number">{Math.round((p[0] ?? 0) * 100)}%</span>
                {truth && <span class={truth[thing] === here ? 'bar-truth here' : 'bar-truth'}>{truth[thing] === here ? '● in hand' : '○ boneyard'}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
