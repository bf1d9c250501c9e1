// What the browser keeps: seat keys, the last tables, the theme.
import { shared } from './shared';

function read<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(name);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage the page works until it is closed.
  }
}

export interface KnownTable {
  table: string;
  keys: string[];
  name: string;
  game: string;
  opponent: string;
  /** What another match like this one begins with. */
  setup?: { time?: string; position?: string };
  at: number;
}

const TABLES = 'parlor-tables';
const MOST_TABLES = 24;

export function tables(): KnownTable[] {
  return read<KnownTable[]>(TABLES, []);
}

export function rememberTable(known: Omit<KnownTable, 'at'>): void {
  const others = tables().filter((other) => other.table !== known.table);
  write(TABLES, [{ setup: setupOf(known.table), ...known, at: Date.now() }, ...others].slice(0, MOST_TABLES));
}

export function forgetTable(table: string): void {
  write(
    TABLES,
    tables().filter((other) => other.table !== table),
  );
}

export function setupOf(table: string): { time?: string; position?: string } {
  return tables().find((other) => other.table === table)?.setup ?? {};
}

export function keysOf(table: string): string[] {
  return tables().find((other) => other.table === table)?.keys ?? [];
}

export type Theme = 'system' | 'light' | 'dark';

function storedTheme(): Theme {
  try {
    const text = localStorage.getItem('parlor-theme');
    return text === 'light' || text === 'dark' ? text : 'system';
  } catch {
    return 'system';
  }
}

export const theme = shared<Theme>(storedTheme());

export function setTheme(next: Theme): void {
  theme.value = next;
  try {
    if (next === 'system') localStorage.removeItem('parlor-theme');
    else localStorage.setItem('parlor-theme', next);
  } catch {
    // As above.
  }
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
}

/** A switch that outlives the page, such as whether hints are shown. */
export function flag(name: string, otherwise: boolean) {
  const value = shared(read<boolean>(`parlor-${name}`, otherwise));
  return {
    use: value.use,
    set(next: boolean) {
      value.value = next;
      write(`parlor-${name}`, next);
    },
  };
}

export const hintsOn = flag('hints', false);
