// Chinese dark chess: round pieces with a drawing of their own and a letter. Red pieces are light with red lines, black ones dark with
// light lines, so that the sides differ without colour.

const SHAPES: Record<string, string> = {
  // A crown with three points.
  K: 'M30 66h40v7H30zM30 62l-4-25 13 9 11-17 11 17 13-9-4 25z',
  // A shield with a cross.
  G: 'M50 26l21 7v15c0 13-9 22-21 27-12-5-21-14-21-27V33zM47 36v10H37v6h10v14h6V52h10v-6H53V36z',
  // The head of an elephant from the front.
  M: 'M50 27c7 0 12 4 14 9 5-5 12-3 13 4 1 9-5 15-12 14-2 4-5 6-8 7 0 7 2 10 6 10v6c-8 1-13-5-13-14 0 9-5 14-11 14v-6c4-1 5-4 5-10-3-1-6-3-8-7-7 1-13-5-12-14 1-7 8-9 13-4 2-5 6-9 13-9zM42 42a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM58 42a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  // The wheel of a chariot.
  R: 'M50 26a25 25 0 1 0 0 50 25 25 0 0 0 0-50zm0 7a18 18 0 0 1 3 .3V45a6 6 0 0 1 3 2l10-6a18 18 0 0 1 3 6l-10 4a6 6 0 0 1-1 3l9 8a18 18 0 0 1-5 5l-8-9-4 1v10a18 18 0 0 1-6-1l2-11-3-3-11 4a18 18 0 0 1-2-7l12-1 1-3-9-8a18 18 0 0 1 5-5l7 10 3-1z',
  // The head of a horse.
  N: 'M34 74c0-14 11-17 12-26-5 5-10 5-13 9l-6-6c3-9 9-17 18-20l3-7 5 6c14 3 21 15 19 31l-1 13zM47 38a2.6 2.6 0 1 0 .1 0z',
  // A cannon on its wheel.
  C: 'M27 51L63 30l7 12-36 21zM67 28l6-3.5 9 15.5-6 3.5zM50 60a8.5 8.5 0 1 0 .1 0zm0 5a3.5 3.5 0 1 1-.1 0zM45 57.5l10-5.8V60l-10 1z',
  // A foot soldier with a round hat.
  P: 'M50 27c9 0 18 5 22 13H28c4-8 13-13 22-13zM39 43h22c0 8-4 12-8 14 8 3 13 9 14 17H33c1-8 6-14 14-17-4-2-8-6-8-14z',
};

export const KINDS = 'KGMRNCP';

export const PIECE_NAMES: Record<string, string> = { K: 'king', G: 'guard', M: 'minister', R: 'rook', N: 'knight', C: 'cannon', P: 'pawn' };

export const isRed = (piece: string) => piece === piece.toUpperCase();

export const pieceName = (piece: string) => `${isRed(piece) ? 'red' : 'black'} ${PIECE_NAMES[piece.toUpperCase()]}`;

export function ChessPiece({ piece }: { piece: string }) {
  const kind = piece.toUpperCase();
  return (
    <g class={isRed(piece) ? 'token red' : 'token black'}>
      <circle cx="50" cy="54" r="42" class="token-edge" />
      <circle cx="50" cy="50" r="42" class="token-body" />
      <circle cx="50" cy="50" r="36.5" class="token-ring" />
      <path d={SHAPES[kind] ?? ''} fill-rule="evenodd" class="token-shape" transform="translate(50 47) scale(.82) translate(-50 -50)" />
      <text x="50" y="80.5" text-anchor="middle" font-size="15" class="token-letter">
        {kind}
      </text>
    </g>
  );
}

export function FaceDown() {
  return (
    <g class="token down">
      <circle cx="50" cy="54" r="42" class="token-edge" />
      <circle cx="50" cy="50" r="42" class="token-body" />
      <circle cx="50" cy="50" r="36.5" class="token-ring" />
      <path d="M50 22a28 28 0 0 1 0 56 14 14 0 0 1 0-28 14 14 0 0 0 0-28z" class="down-mark" />
      <circle cx="50" cy="36" r="4" class="down-mark" />
      <circle cx="50" cy="64" r="4" class="down-dot" />
    </g>
  );
}
