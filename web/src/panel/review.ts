import { useEffect, useState } from 'preact/hooks';
import { lines, message, post } from '../api';
import type { Replay } from '../types';
import { wholeUnit } from './use-hint';

export interface Saved {
  line: string;
  game: string;
  /** The position it began from, if not the start. */
  start: string | null;
  moves: string[];
}

export function readSaved(text: string): Saved {
  const line = text.trim().split('\n')[0] ?? '';
  const saved = JSON.parse(line);
  return { line, game: String(saved.game), start: saved.start ?? null, moves: String(saved.moves ?? '').split(' ').filter(Boolean) };
}

/** A finished match ply by ply, from both seats' shoulders. */
export function useReplay(saved: Saved | null): { replays: Replay[]; error: string | null } {
  const [replays, setReplays] = useState<Replay[]>([]);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    setReplays([]);
    setError(null);
    if (!saved) return undefined;
    let gone = false;
    void (async () => {
      try {
        const first = await post<Replay>('/api/replay', { line: saved.line, seat: 0 });
        const found = [first];
        if (first.seats.length > 1) found.push(await post<Replay>('/api/replay', { line: saved.line, seat: 1 }));
        if (!gone) setReplays(found);
      } catch (problem) {
        if (!gone) setError(message(problem));
      }
    })();
    return () => {
      gone = true;
    };
  }, [saved?.line]);
  return { replays, error };
}

export interface Judged {
  ply: number;
  seat: number;
  action: string;
  best: string;
  value: number;
  loss: number;
  certainty: string;
  unit: string;
}

export interface Analysis {
  judged: Judged[];
  worst: { ply: number; loss: number }[];
  done: boolean;
  error: string | null;
}

/** Judges every decision of a match, as the answers arrive. `body` names the table or has the saved line. */
export function useAnalysis(body: Record<string, unknown> | null, key: string | null): Analysis {
  const [analysis, setAnalysis] = useState<Analysis>({ judged: [], worst: [], done: false, error: null });
  const name = body === null ? null : JSON.stringify(body);
  useEffect(() => {
    let latest: Analysis = { judged: [], worst: [], done: false, error: null };
    setAnalysis(latest);
    if (!body) return undefined;
    const stop = new AbortController();
    lines<any>('/api/analysis', body, key, stop.signal, (line) => {
      latest = line.final ? { ...latest, worst: line.worst ?? [], done: true } : { ...latest, judged: [...latest.judged, wholeUnit(line) as Judged] };
      setAnalysis(latest);
    }).catch((problem) => {
      if (!stop.signal.aborted) setAnalysis({ ...latest, done: true, error: message(problem) });
    });
    return () => stop.abort();
  }, [name]);
  return analysis;
}
