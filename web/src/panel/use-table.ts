import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, get, message, post, request } from '../api';
import { subscribe } from '../live';
import type { Snapshot } from '../types';

export interface Thinking {
  seat: number;
  depth?: number;
  nodes?: number;
  value?: number;
  unit?: string;
}

export interface Table {
  snapshot: Snapshot | null;
  thinking: Thinking | null;
  error: string | null;
  gone: boolean;
  busy: boolean;
  act: (action: string) => void;
  call: (name: string, body?: unknown) => Promise<void>;
  clearError: () => void;
}

/** A table of the server: its latest snapshot, kept up to date, and what can be done at it. */
export function useTable(id: string, key: string | null): Table {
  const [snapshot, setSnapshot] = useState<Snapshot | null>(null);
  const [thinking, setThinking] = useState<Thinking | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [gone, setGone] = useState(false);
  const [busy, setBusy] = useState(false);
  const latest = useRef<Snapshot | null>(null);
  const path = `/api/tables/${id}`;

  const take = useCallback((next: Snapshot) => {
    const known = latest.current;
    // A late event must not replace the reply to what was done after it.
    if (known && known.seat === next.seat && known.rev !== undefined && next.rev !== undefined && next.rev < known.rev) return;
    latest.current = next;
    setSnapshot(next);
    setGone(false);
    if (!next.thinking) setThinking(null);
  }, []);

  useEffect(() => {
    latest.current = null;
    let ended = false;
    let seat: number | null | undefined;
    get<Snapshot>(path, key).then(
      (first) => {
        if (ended) return;
        seat = first.seat;
        take(first);
      },
      (problem) => {
        if (ended) return;
        if (problem instanceof ApiError && problem.status === 404) setGone(true);
        else setError(message(problem));
      },
    );
    const end = subscribe(key ? { table: id, key } : { table: id }, ({ event, data }) => {
      if (event === 'snapshot') {
        // Another tab of this browser may watch the other seat of the same table.
        if (seat === undefined) seat = data.seat;
        if (data.seat === seat) take(data as Snapshot);
      } else if (event === 'thinking') setThinking(data as Thinking);
      else if (event === 'gone') setGone(true);
    });
    return () => {
      ended = true;
      end();
    };
  }, [id, key]);

  const call = useCallback(
    async (name: string, body: unknown = {}) => {
      setBusy(true);
      setError(null);
      try {
        if (name === 'delete') await request('DELETE', path, undefined, key);
        else take(await post<Snapshot>(`${path}/${name}`, body, key));
      } catch (problem) {
        const body = problem instanceof ApiError ? (problem.body.snapshot as Snapshot | undefined) : undefined;
        if (body) take(body);
        if (!(problem instanceof ApiError && problem.status === 409 && body)) setError(message(problem));
      }
      setBusy(false);
    },
    [path, key, take],
  );

  const act = useCallback(
    (action: string) => {
      if (latest.current) void call('act', { action, ply: latest.current.ply });
    },
    [call],
  );

  return { snapshot, thinking, error, gone, busy, act, call, clearError: () => setError(null) };
}
