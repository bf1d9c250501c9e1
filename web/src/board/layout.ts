// Where the tiles of a dominoes line lie. One unit is half a tile. The spinner (or the first tile) is the origin; each of the four
// branches turns clockwise at the edge, so that they stay out of each other's way.

export type End = 'left' | 'right' | 'up' | 'down';

export interface Laid {
  tile: string;
  end: End | 'start';
  /** Centre, and whether the tile lies across. */
  x: number;
  y: number;
  across: boolean;
  /** The half at the left or the top. */
  low: number;
  high: number;
  spinner: boolean;
  seat: number;
  number: number;
}

export interface Slot {
  end: End | 'start';
  x: number;
  y: number;
  across: boolean;
}

export interface Layout {
  tiles: Laid[];
  slots: Slot[];
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Play {
  tile: string;
  end: End | 'start';
  inner: number;
  outer: number;
  seat: number;
  number: number;
}

type Direction = 0 | 1 | 2 | 3; // right, down, left, up
const DX = [1, 0, -1, 0];
const DY = [0, 1, 0, -1];
const MOST_ROUNDS = 14;

export interface LogEntry {
  seat: number;
  action: string;
  points: number;
}

const PLAY = /^(\d)(\d)@(start|left|right|up|down)$/;

/** The plays of a stage's log, with the half that touches and the half that stays open. */
function plays(log: LogEntry[]): Play[] {
  const open: Record<string, number> = {};
  const found: Play[] = [];
  let spinner: number | null = null;
  log.forEach((entry, number) => {
    const match = PLAY.exec(entry.action);
    if (!match) return;
    const [low, high] = [Number(match[1]), Number(match[2])];
    const end = match[3] as Play['end'];
    const play: Play = { tile: `${low}${high}`, end, inner: low, outer: high, seat: entry.seat, number };
    if (end === 'start') {
      open.left = low;
      open.right = high;
    } else {
      const pips: number = open[end] ?? spinner ?? low;
      play.inner = pips;
      play.outer = pips === low ? high : low;
      open[end] = play.outer;
    }
    if (low === high && spinner === null) spinner = low;
    found.push(play);
  });
  return found;
}

interface Piece {
  x: number;
  y: number;
  halfWide: number;
  halfHigh: number;
}

class Branch {
  turns = 0;
  constructor(
    private x: number,
    private y: number,
    private direction: Direction,
    private readonly wide: number,
    private readonly high: number,
    /** The last tile's open half, or its centre if it is a double, and how far a turn starts from there. */
    private corner: [number, number, number],
  ) {}

  /** The limit in the present direction. */
  private limit(): number {
    if (this.turns >= 2) return -2;
    return this.direction % 2 === 0 ? this.wide : this.high;
  }

  next(double: boolean, commit: boolean): Piece & { across: boolean; direction: Direction } {
    const before = [this.x, this.y, this.direction, this.corner, this.turns] as const;
    const along = double ? 1 : 2;
    let reach = this.x * (DX[this.direction] as number) + this.y * (DY[this.direction] as number) + along;
    if (reach > this.limit() + 0.01 && this.turns < 3) {
      this.direction = ((this.direction + 1) % 4) as Direction;
      this.turns += 1;
      this.x = this.corner[0] + (DX[this.direction] as number) * this.corner[2];
      this.y = this.corner[1] + (DY[this.direction] as number) * this.corner[2];
      reach = 0;
    }
    const [dx, dy] = [DX[this.direction] as number, DY[this.direction] as number];
    const x = this.x + (dx * along) / 2;
    const y = this.y + (dy * along) / 2;
    const level = this.direction % 2 === 0;
    const across = double ? !level : level;
    const piece = { x, y, halfWide: across ? 1 : 0.5, halfHigh: across ? 0.5 : 1, across, direction: this.direction };
    if (commit) {
      this.x += dx * along;
      this.y += dy * along;
      this.corner = double ? [x, y, 1] : [x + dx * 0.5, y + dy * 0.5, 0.5];
    } else {
      [this.x, this.y, this.direction, this.corner, this.turns] = before as unknown as [number, number, Direction, [number, number, number], number];
    }
    return piece;
  }
}

function overlaps(a: Piece, b: Piece): boolean {
  return Math.abs(a.x - b.x) < a.halfWide + b.halfWide - 0.02 && Math.abs(a.y - b.y) < a.halfHigh + b.halfHigh - 0.02;
}

/** Lays out a stage. `ends` are the open ends, `double` says whether the tile in hand is one. */
export function layOut(log: LogEntry[], spinnerRule: string, ends: string[], double: boolean, narrow: boolean): Layout {
  const all = plays(log);
  if (all.length === 0) {
    return { tiles: [], slots: [{ end: 'start', x: 0, y: 0, across: !double }], left: -1, top: -1, right: 1, bottom: 1 };
  }
  let grow = 0;
  for (;;) {
    const wide = (narrow ? 4.5 : 9.5) + grow * (narrow ? 0.5 : 1);
    const high = (narrow ? 5.5 : 4.5) + grow * (narrow ? 0.6 : 0.5);
    const made = attempt(all, spinnerRule, ends, double, wide, high);
    if (made || grow >= MOST_ROUNDS) return made ?? (attempt(all, spinnerRule, ends, double, 99, 99, true) as Layout);
    grow += 1;
  }
}

function attempt(all: Play[], spinnerRule: string, ends: string[], double: boolean, wide: number, high: number, force = false): Layout | null {
  const first = all[0] as Play;
  const isDouble = (play: Play) => play.tile[0] === play.tile[1];
  const spinner = spinnerRule === 'none' ? undefined : spinnerRule === 'first-tile' ? (isDouble(first) ? first : undefined) : all.find(isDouble);
  const line = [...all.filter((play) => play.end === 'left')].reverse();
  line.push(first, ...all.filter((play) => play.end === 'right'));
  // A spinner on an arm cannot be: arms begin at the spinner.
  const middle = Math.max(0, line.indexOf(spinner ?? first));
  const centre = line[middle] as Play;
  const centreDouble = isDouble(centre);
  const pieces: Piece[] = [];
  const tiles: Laid[] = [];
  const add = (play: Play, piece: Piece & { across: boolean }, low: number, high: number) => {
    const clash = pieces.some((other) => overlaps(piece, other));
    pieces.push(piece);
    const laid = { tile: play.tile, end: play.end, x: piece.x, y: piece.y, across: piece.across, low, high, spinner: play === spinner, seat: play.seat, number: play.number };
    tiles.push(laid);
    return !clash || force;
  };
  // The halves of a tile of the line, from left to right.
  const faces = (play: Play): [number, number] => (play.end === 'left' ? [play.outer, play.inner] : [play.inner, play.outer]);
  const [leftFace, rightFace] = faces(centre);
  add(centre, { x: 0, y: 0, halfWide: centreDouble ? 0.5 : 1, halfHigh: centreDouble ? 1 : 0.5, across: !centreDouble }, leftFace, rightFace);
  const half = centreDouble ? 0.5 : 1;
  const branches: Record<End, Branch> = {
    right: new Branch(half, 0, 0, wide, high, centreDouble ? [0, 0, 1] : [0.5, 0, 0.5]),
    left: new Branch(-half, 0, 2, wide, high, centreDouble ? [0, 0, 1] : [-0.5, 0, 0.5]),
    down: new Branch(0, 1, 1, wide, high, [0, 0.5, 0.5]),
    up: new Branch(0, -1, 3, wide, high, [0, -0.5, 0.5]),
  };
  const outward: [End, Play[]][] = [
    ['right', line.slice(middle + 1)],
    ['left', line.slice(0, middle).reverse()],
    ['up', all.filter((play) => play.end === 'up')],
    ['down', all.filter((play) => play.end === 'down')],
  ];
  for (const [end, list] of outward) {
    for (const play of list) {
      const piece = branches[end].next(isDouble(play), true);
      // Seen from the centre, the touching half comes first; tiles between the start and the centre were played towards it.
      const [near, far] = end === 'right' ? faces(play) : end === 'left' ? [...faces(play)].reverse() : [play.inner, play.outer];
      const forward = piece.direction === 0 || piece.direction === 1;
      if (!add(play, piece, (forward ? near : far) as number, (forward ? far : near) as number)) return null;
    }
  }
  const slots: Slot[] = [];
  for (const end of ends as End[]) {
    if (!(end in branches)) continue;
    const piece = branches[end].next(double, false);
    if (!force && pieces.some((other) => overlaps(piece, other))) return null;
    slots.push({ end, x: piece.x, y: piece.y, across: piece.across });
    pieces.push(piece);
  }
  return {
    tiles: tiles.sort((a, b) => a.number - b.number),
    slots,
    left: Math.min(...pieces.map((piece) => piece.x - piece.halfWide)),
    right: Math.max(...pieces.map((piece) => piece.x + piece.halfWide)),
    top: Math.min(...pieces.map((piece) => piece.y - piece.halfHigh)),
    bottom: Math.max(...pieces.map((piece) => piece.y + piece.halfHigh)),
  };
}
