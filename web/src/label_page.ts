/** A sheet on which texts find places where they cover least of what is there already, and inside the frame. */

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A text or a column of texts, with the places where it may stand, the best first. */
export interface Piece {
  readonly options: readonly Rect[];
  readonly put: (at: Rect, option: number) => void;
}

/** More than so many are not fitted to each other: it would take longer than a frame. */
const MOST = 160;

/** What share of a piece may be covered before it takes its next best place. */
const LIKING = 0.006;

/** Times that each piece looks for a better place, now that it knows where the others are. */
const ROUNDS = 6;

function overlap(one: Rect, other: Rect): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Pieces that keep clear of each other and of shapes. */
export class LabelPage {
  constructor(
    private readonly frame: Rect,
    readonly taken: Rect[] = [],
  ) {}

  /** Keep this place free of texts. */
  take(rect: Rect): void {
    this.taken.push(rect);
  }

  /** Give each of *pieces* a place; they are in the way of those that come later. */
  settle(pieces: readonly Piece[]): void {
    const chosen = pieces.map(() => -1);
    const rounds = pieces.length > MOST ? 0 : ROUNDS;
    for (let round = 0; round < rounds; round++) {
      pieces.forEach((piece, index) => void (chosen[index] = this.best(piece, pieces, chosen)));
    }
    pieces.forEach((piece, index) => {
      const option = Math.max(0, chosen[index]!);
      const at = piece.options[option]!;
      piece.put(at, option);
      this.take(at);
    });
  }

  private best(piece: Piece, pieces: readonly Piece[], chosen: readonly number[]): number {
    let least = Infinity;
    let best = 0;
    piece.options.forEach((place, index) => {
      const area = place.width * place.height;
      let cost = 4 * (area - overlap(place, this.frame)) + index * LIKING * area;
      for (const other of this.taken) cost += overlap(place, other);
      pieces.forEach((other, which) => {
        if (other !== piece && chosen[which]! >= 0) cost += overlap(place, other.options[chosen[which]!]!);
      });
      if (cost < least - 1e-9) [least, best] = [cost, index];
    });
    return best;
  }
}

export const ANCHORS = ["middle", "middle", "start", "end", "start", "end", "start", "end"] as const;

/** Places for a text of some size around a shape: above, below, right, left; above and below along either edge. */
export function around(
  x: number,
  y: number,
  [w, h]: readonly [number, number],
  width: number,
  height: number,
  gap: number,
): Rect[] {
  return [
    { x: x - width / 2, y: y - h - gap - height, width, height },
    { x: x - width / 2, y: y + h + gap, width, height },
    { x: x + w + 2 * gap, y: y - height / 2, width, height },
    { x: x - w - 2 * gap - width, y: y - height / 2, width, height },
    ...[y - h - gap - height, y + h + gap].flatMap((top) => [
      { x: x - w, y: top, width, height },
      { x: x + w - width, y: top, width, height },
    ]),
  ];
}
