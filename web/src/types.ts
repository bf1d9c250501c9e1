// The documents of the server's API; see docs/guide/api.md.

export interface Place {
  cells: number[];
  kind: number;
}

export interface Happening {
  actor: number | 'chance';
  action: string;
  text: string | null;
  who?: number | 'chance';
  place?: Place | null;
  reveal?: string;
}

export interface TypeOdds {
  name: string;
  probability: number;
}

export interface SeatInfo {
  kind: 'human' | 'agent';
  name: string;
  agent?: string;
}

export interface ClockInfo {
  left_ms: number | null;
  running: boolean;
}

export interface Outcome {
  ending: string;
  winner: number | null;
  text: string;
}

export interface Snapshot {
  table: string;
  rev?: number;
  game: string;
  name: string;
  ply: number;
  seat: number | null;
  seats: SeatInfo[];
  sides: (string | null)[] | null;
  points: number[] | null;
  view: unknown;
  views?: unknown[];
  drawing: string | null;
  status: string | null;
  position: string | null;
  grid: { width: number; height: number } | null;
  actions: string[];
  places?: Place[];
  to_move: number | null;
  thinking: boolean;
  last: Happening[];
  log: Happening[];
  can: { act: boolean; undo: boolean; resign: boolean; saved: boolean; hint: boolean };
  over: Outcome | null;
  payoffs: number[] | null;
  clocks: ClockInfo[] | null;
  pace?: { pace_ms: number; paused: boolean } | null;
  types?: { seat: number; types: TypeOdds[] }[];
}

export type Certainty = 'guess' | 'at_most' | 'proven';

export interface MoveValue {
  action: string;
  value: number;
  certainty: Certainty;
  visits?: number;
}

export interface Beliefs {
  places: string[];
  odds: [string, number[]][];
  basis: string;
  sample_size: number | null;
  types?: TypeOdds[];
}

/** What the hint panel and the boards show; later lines of an answer complete earlier ones. */
export interface Hint {
  moves: MoveValue[];
  unit: string;
  value: number | null;
  line: string[];
  best: string | null;
  source: string | null;
  final: boolean;
  depth?: number;
  nodes?: number;
  counts?: string;
  certainty?: Certainty;
  end_in?: number | null;
  beliefs?: Beliefs;
  facts?: string[];
  certain?: [string, string][];
  odds?: { mines: [string, number][]; random_win: number | null; layouts?: number };
}

export interface Ply {
  ply: number;
  actor: number | 'chance' | null;
  action: string | null;
  text: string | null;
  place?: Place | null;
  to_move: number | null;
  view: unknown;
  drawing: string | null;
  status: string | null;
  position: string | null;
}

export interface Replay {
  game: string;
  name: string;
  seats: string[];
  ending: string | null;
  payoffs: number[] | null;
  plies: Ply[];
}

export interface Key {
  name: string;
  default: string;
  help: string;
  kind: 'whole' | 'whole_or_none' | 'whole_or_all' | 'real' | 'choice' | 'switch' | 'agent' | 'agents' | 'text';
  min?: number;
  max?: number;
  words?: string[];
}

export interface AgentInfo {
  name: string;
  summary: string;
  learns: boolean;
  keys: Key[];
}

export interface Level {
  name: string;
  agent?: string;
  game?: string;
}

export interface GameInfo {
  name: string;
  summary: string;
  aliases: string[];
  seats: number;
  open: boolean;
  usual: string;
  rules: string;
  keys: Key[];
  presets: { name: string; summary: string; game: string }[];
  levels: Level[];
  hints: string;
  solver: boolean;
  odds: boolean;
  agents: AgentInfo[];
}

export interface Catalog {
  version: string;
  owner: boolean;
  games: GameInfo[];
  agents: { name: string; spec: string; games: string[] }[];
}

export interface RunRow {
  run: string;
  kind: string;
  title: string;
  state: 'running' | 'done' | 'stopped' | 'failed';
  done: number;
  total: number;
  started: number | string;
  error?: string | null;
  report?: string | null;
  resumable: boolean;
}

export interface Point {
  run?: string;
  series?: string;
  x: number;
  y: number;
  low?: number | null;
  high?: number | null;
  published?: boolean;
}

export interface RunDetail extends RunRow {
  toml: string;
  points: Point[];
  axes?: { x: string; y: string };
  published?: Point[];
  result?: unknown;
}

export type Topic = { table: string; key?: string } | { run: string } | { runs: true };
