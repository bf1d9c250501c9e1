import { post } from './api';
import { go } from './router';
import { rememberTable } from './store';
import type { Snapshot } from './types';

export interface Setup {
  game: string;
  seats: string[];
  position?: string;
  seed?: number;
  time?: string;
  pace_ms?: number;
  paused?: boolean;
}

interface Created {
  table: string;
  keys: (string | null)[];
  key?: string;
  snapshot: Snapshot;
}

/** Opens a table and shows it. */
export async function start(setup: Setup): Promise<void> {
  const made = await post<Created>('/api/tables', setup);
  const keys = made.keys.filter((key): key is string => key !== null);
  const opponent = setup.seats.filter((seat) => !seat.startsWith('human')).join(' – ');
  rememberTable({ table: made.table, keys: keys.length > 0 ? keys : made.key ? [made.key] : [], name: made.snapshot.name, game: made.snapshot.game, opponent, setup: { ...(setup.time ? { time: setup.time } : {}), ...(setup.position ? { position: setup.position } : {}) } });
  go(`/t/${made.table}`);
}
