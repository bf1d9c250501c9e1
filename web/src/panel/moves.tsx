import { useEffect, useRef } from 'preact/hooks';
import { SideMark } from '../board/marks';
import type { Happening } from '../types';

export interface MoveEntry {
  /** Place in the replay, or in the log. */
  index: number;
  actor: number | 'chance';
  label: string;
  detail: string | null;
  reveal?: string;
}

const SKIPPED = /^(deal|mine|leads):/;

/** The moves of a log; outcomes of chance join the move before. */
export function entries(name: string, log: Happening[]): MoveEntry[] {
  const found: MoveEntry[] = [];
  log.forEach((event, index) => {
    const before = found.at(-1);
    if (name === 'darkchess' && event.actor === 'chance') {
      if (before) found[found.length - 1] = { ...before, index: index + 1, label: before.label + event.action };
      return;
    }
    if (event.reveal && name === 'dominoes') {
      found.push({ index: index + 1, actor: event.actor, label: event.text ?? event.action, detail: event.text, reveal: event.reveal });
      return;
    }
    if (SKIPPED.test(event.action)) return;
    const actor = event.actor === 'chance' && typeof event.who === 'number' ? event.who : event.actor;
    const label = name === 'dominoes' && event.action.startsWith('draw:') ? `draws ${event.action === 'draw:??' ? 'a tile' : event.action.slice(5)}` : event.action;
    found.push({ index: index + 1, actor, label, detail: event.text });
  });
  return found;
}

const MARKED = new Set(['connect', 'checkers', 'tictactoe']);

interface Props {
  name: string;
  entries: MoveEntry[];
  sides: string[];
  current: number | null;
  pick: ((index: number) => void) | null;
  worst?: Map<number, number>;
}

/** The list of moves; after the end each of them shows its position. */
export function MoveList({ name, entries, sides, current, pick, worst }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const chosen = list.current?.querySelector<HTMLElement>('.on');
    const box = list.current;
    if (!box) return;
    if (chosen) box.scrollTop = chosen.offsetTop - box.clientHeight / 2;
    else box.scrollTop = box.scrollHeight;
  }, [entries.length, current]);
  if (entries.length === 0) return <p class="soft">No moves yet.</p>;
  return (
    <ol ref={list} class="moves" tabIndex={0} aria-label="Moves">
      {entries.map((entry, number) => {
        const shown = current !== null && entry.index === current;
        const content = (
          <>
            <span class="move-side">{typeof entry.actor === 'number' ? (MARKED.has(name) ? <SideMark name={name} seat={entry.actor} view={null} /> : (sides[entry.actor] ?? entry.actor)) : '·'}</span>
            <span class="move-text">{entry.label}</span>
            {worst?.has(entry.index) && <span class="move-loss">−{(worst.get(entry.index) ?? 0).toFixed(2)}</span>}
          </>
        );
        return (
          <li key={number} class={`${shown ? 'on' : ''} seat-${entry.actor}`} title={entry.detail ?? undefined}>
            {pick ? (
              <button type="button" aria-current={shown ? 'step' : undefined} onClick={() => pick(entry.index)}>
                {content}
              </button>
            ) : (
              <div>{content}</div>
            )}
            {entry.reveal && <pre class="reveal">{entry.reveal}</pre>}
          </li>
        );
      })}
    </ol>
  );
}
