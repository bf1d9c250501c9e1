// A domino: two squares of 100 units. It lies across (200 × 100) or stands (100 × 200).

const SPOTS: Record<number, [number, number][]> = {
  0: [],
  1: [[50, 50]],
  2: [[26, 26], [74, 74]],
  3: [[26, 26], [50, 50], [74, 74]],
  4: [[26, 26], [74, 26], [26, 74], [74, 74]],
  5: [[26, 26], [74, 26], [50, 50], [26, 74], [74, 74]],
  6: [[26, 24], [26, 50], [26, 76], [74, 24], [74, 50], [74, 76]],
  7: [[26, 24], [26, 50], [26, 76], [74, 24], [74, 50], [74, 76], [50, 50]],
  8: [[24, 24], [50, 24], [76, 24], [24, 50], [76, 50], [24, 76], [50, 76], [76, 76]],
  9: [[24, 24], [50, 24], [76, 24], [24, 50], [50, 50], [76, 50], [24, 76], [50, 76], [76, 76]],
};

function Half({ pips, turned }: { pips: number; turned: boolean }) {
  return (
    <>
      {(SPOTS[pips] ?? []).map(([x, y]) => (
        <circle key={`${x}.${y}`} cx={turned ? y : x} cy={turned ? 100 - x : y} r={pips > 6 ? 8.5 : 9.5} class={`pip p${pips}`} />
      ))}
    </>
  );
}

/** The face of a tile; `low` is the half at the left or the top. */
export function TileFace({ low, high, across = false }: { low: number; high: number; across?: boolean }) {
  return (
    <g class="tile">
      <rect x="3" y="6" width={across ? 194 : 94} height={across ? 94 : 194} rx="15" class="tile-edge" />
      <rect x="3" y="3" width={across ? 194 : 94} height={across ? 93 : 193} rx="15" class="tile-body" />
      {across ? <path d="M100 16v68" class="tile-bar" /> : <path d="M16 100h68" class="tile-bar" />}
      {across ? <circle cx="100" cy="50" r="4.5" class="tile-pin" /> : <circle cx="50" cy="100" r="4.5" class="tile-pin" />}
      <Half pips={low} turned={across} />
      <g transform={across ? 'translate(100 0)' : 'translate(0 100)'}>
        <Half pips={high} turned={across} />
      </g>
    </g>
  );
}

export function TileBack() {
  return (
    <g class="tile">
      <rect x="3" y="6" width="94" height="194" rx="15" class="back-edge" />
      <rect x="3" y="3" width="94" height="193" rx="15" class="back-body" />
      <rect x="15" y="15" width="70" height="169" rx="8" class="back-line" />
      <path d="M50 70l18 30-18 30-18-30z" class="back-mark" />
    </g>
  );
}

/** A tile as an image of its own, `12` for the tile with 1 and 2. */
export function Tile({ tile, across = false }: { tile: string; across?: boolean }) {
  return (
    <svg class="tile-image" viewBox={across ? '0 0 200 103' : '0 0 100 203'} aria-hidden="true">
      <TileFace low={Number(tile[0])} high={Number(tile[1])} across={across} />
    </svg>
  );
}

export const tileName = (tile: string) => `${tile[0]}-${tile[1]}`;
