import { useEffect, useState } from 'preact/hooks';
import { lines, message } from '../api';
import type { Hint } from '../types';

export interface HintQuestion {
  /** Names the position, where the body does not. */
  position?: number;
  body: Record<string, unknown>;
  key: string | null;
}

export const EMPTY_HINT: Hint = { moves: [], unit: '', value: null, line: [], best: null, source: null, final: false };

/** Values in hundredths or thousandths are shown in the whole unit. */
export function wholeUnit(line: any): any {
  const match = /^(hund|thous)\w+ of an? (\w+)/.exec(line.unit ?? '');
  if (!match) return line;
  const scaled = (value: unknown) => (typeof value === 'number' ? value / (match[1] === 'hund' ? 100 : 1000) : value);
  return { ...line, unit: match[2] === 'man' ? 'men' : `${match[2]}s`, value: scaled(line.value), loss: scaled(line.loss), moves: line.moves?.map((move: any) => ({ ...move, value: scaled(move.value) })) };
}

/** Joins what has arrived: later lines replace the fields that they have. */
export function join(hint: Hint, raw: any): Hint {
  const line = wholeUnit(raw);
  const next: Hint = { ...hint };
  if (line.kind === 'exact') {
    next.source = 'exact';
    next.certainty = 'proven';
  } else if (line.kind === 'thought') next.source = line.agent ?? next.source;
  for (const field of ['moves', 'line', 'facts', 'certain', 'beliefs', 'odds', 'unit', 'value', 'best', 'source', 'depth', 'nodes', 'counts', 'certainty', 'end_in'] as const) {
    const value = line[field];
    if (value === undefined || value === null) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    (next as any)[field] = value;
  }
  if (next.source === 'exact') next.certainty = 'proven';
  if (line.final) next.final = true;
  if (next.value === null && next.moves.length > 0) next.value = Math.max(...next.moves.map((move) => move.value));
  return next;
}

/** The answer to a question, as it arrives; asks again when the question changes, and stops the search when nobody waits for it. */
export function useHint(question: HintQuestion | null): { hint: Hint | null; error: string | null } {
  const [hint, setHint] = useState<Hint | null>(null);
  const [error, setError] = useState<string | null>(null);
  const name = question === null ? null : JSON.stringify(question);
  useEffect(() => {
    setHint(null);
    setError(null);
    if (!question) return undefined;
    const stop = new AbortController();
    let latest = EMPTY_HINT;
    lines<any>('/api/hint', question.body, question.key, stop.signal, (line) => {
      latest = join(latest, line);
      setHint(latest);
    }).catch((problem) => {
      if (!stop.signal.aborted) setError(message(problem));
    });
    return () => stop.abort();
  }, [name]);
  return { hint, error };
}
