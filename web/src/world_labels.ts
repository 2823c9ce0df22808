/** Where names stand on the map: each where it covers least of what is there already, and inside the frame. */

import { measure } from "./measure";
import type { Floor } from "./floor_plan";
import type { Spot } from "./world_spots";

export const LETTERS = 11.5;
const LINE = 14.5;

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A text on the map: where its first line stands. */
export interface Label {
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  readonly lines: readonly string[];
}

export interface Placed {
  readonly labels: ReadonlyMap<string, Label>;
  /** Where the dots of things are: in a column beside what they rest on. */
  readonly dots: ReadonlyMap<string, { readonly x: number; readonly y: number }>;
  readonly rooms: readonly { readonly name: string; readonly x: number; readonly y: number }[];
}

export interface Drawing {
  readonly x: (at: number) => number;
  readonly y: (at: number) => number;
  /** Units of the drawing for a pixel on screen. */
  readonly unit: number;
  readonly frame: Rect;
}

/** Half the size of what is drawn, by kind; furniture has its own. */
const SHAPES: Record<Exclude<Spot["kind"], "furniture">, readonly [number, number]> = {
  door: [27, 5],
  robot: [16, 16],
  person: [13, 17],
  item: [4, 4],
};

/** More than so many are not fitted to each other: it would take longer than a frame. */
const MOST = 160;

function overlap(one: Rect, other: Rect): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** A text or a column of texts, with the places where it may stand, the best first. */
interface Piece {
  readonly options: readonly Rect[];
  readonly put: (at: Rect, option: number) => void;
  chosen: number;
}

/** Times that each piece looks for a better place, now that it knows where the others are. */
const ROUNDS = 2;

/** Pieces that keep clear of each other and of shapes. */
class Page {
  private readonly taken: Rect[] = [];

  constructor(private readonly frame: Rect) {}

  take(rect: Rect): void {
    this.taken.push(rect);
  }

  /** Give each of *pieces* a place; they are in the way of those that come later. */
  settle(pieces: readonly Piece[]): void {
    const many = pieces.length > MOST;
    for (let round = 0; round < (many ? 0 : ROUNDS); round++) {
      for (const piece of pieces) piece.chosen = this.best(piece, pieces);
    }
    for (const piece of pieces) {
      const option = Math.max(0, piece.chosen);
      const at = piece.options[option]!;
      piece.put(at, option);
      this.take(at);
    }
  }

  private best(piece: Piece, pieces: readonly Piece[]): number {
    let least = Infinity;
    let best = 0;
    piece.options.forEach((place, index) => {
      let cost = 4 * (place.width * place.height - overlap(place, this.frame));
      for (const other of this.taken) cost += overlap(place, other);
      for (const other of pieces) {
        if (other !== piece && other.chosen >= 0) cost += overlap(place, other.options[other.chosen]!);
      }
      if (cost < least - 1e-9) [least, best] = [cost, index];
    });
    return best;
  }
}

const ANCHORS = ["middle", "middle", "start", "end", "start", "end", "start", "end"] as const;

/** Places for a text of some size around a shape: above, below, right, left; above and below along either edge. */
function around(x: number, y: number, [w, h]: readonly [number, number], width: number, height: number, gap: number): Rect[] {
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

/** What the places of names follow from: while it stays the same, they do. Robots count as far as one can see them move. */
export function signature(spots: readonly Spot[]): string {
  return spots
    .map(({ entity, at, inside, on, holder, hand }) => `${entity.name} ${at[0].toFixed(1)} ${at[1].toFixed(1)} ${inside} ${on} ${holder} ${hand}`)
    .join(";");
}

export function placeLabels(spots: readonly Spot[], floor: Floor, { x, y, unit, frame }: Drawing): Placed {
  const page = new Page(frame);
  const labels = new Map<string, Label>();
  const dots = new Map<string, { x: number; y: number }>();
  const line = LINE * unit;
  const long = (words: string): number => measure(words, LETTERS) * unit;
  const shape = ({ kind, half }: Spot): readonly [number, number] => {
    if (kind !== "furniture") return SHAPES[kind];
    const side = x(half) - x(0) + 1;
    return [side, side];
  };
  const seen = spots.filter((spot) => spot.inside === "");
  const column = new Map<string, Spot[]>();
  const contents = new Map<string, number>();
  const held = new Map<string, string[]>();
  for (const spot of spots) {
    const { name } = spot.entity;
    if (spot.inside !== "") contents.set(spot.inside, (contents.get(spot.inside) ?? 0) + 1);
    else if (spot.holder !== "") held.set(spot.holder, [...(held.get(spot.holder) ?? []), `${spot.hand}: ${name}`]);
    else if (spot.kind === "item") column.set(spot.on || name, [...(column.get(spot.on || name) ?? []), spot]);
    if (spot.kind !== "item" && spot.kind !== "robot") {
      const [w, h] = shape(spot);
      page.take({ x: x(spot.at[0]) - w, y: y(spot.at[1]) - h, width: 2 * w, height: 2 * h });
    }
  }
  const still: Piece[] = [];
  const places = new Map(spots.map((spot) => [spot.entity.name, spot]));

  // Things in a column beside what they rest on, their names below each other.
  for (const [on, things] of column) {
    const base = places.get(on) ?? things[0]!;
    const [u, v] = [x(base.at[0]), y(base.at[1])];
    const [w, h] = shape(base);
    const width = Math.max(...things.map((each) => long(each.entity.name))) + 13 * unit;
    const height = things.length * line;
    const sides = [u + w + 3 * unit, u - w - 3 * unit - width];
    const options = [
      ...sides.flatMap((left) => [v - h, v + h - height, v - height / 2].map((top) => ({ x: left, y: top, width, height }))),
      { x: u - w, y: v + h + 3 * unit, width, height },
      { x: u - w, y: v - h - 3 * unit - height, width, height },
    ];
    const put = (at: Rect, option: number): void => {
      const mirrored = option >= 3 && option < 6;
      things.forEach((each, row) => {
        const middle = at.y + (row + 0.5) * line;
        const dot = mirrored ? at.x + width - 4 * unit : at.x + 4 * unit;
        dots.set(each.entity.name, { x: dot, y: middle });
        labels.set(each.entity.name, {
          x: dot + (mirrored ? -9 : 9) * unit,
          y: middle + 4 * unit,
          anchor: mirrored ? "end" : "start",
          lines: [each.entity.name],
        });
      });
    };
    still.push({ options, put, chosen: -1 });
  }
  const moving: Piece[] = [];
  for (const spot of seen) {
    if (spot.kind === "item") continue;
    const { name } = spot.entity;
    const inside = contents.get(name);
    const lines = [inside === undefined ? name : `${name} (${inside})`, ...(held.get(name) ?? [])];
    const width = Math.max(...lines.map(long));
    const sides = around(x(spot.at[0]), y(spot.at[1]), shape(spot), width, lines.length * line, 2 * unit);
    const order = spot.kind === "robot" ? [1, 0, 2, 3, 6, 7, 4, 5] : [0, 1, 2, 3, 4, 5, 6, 7];
    const put = (at: Rect, option: number): void => {
      const anchor = ANCHORS[order[option]!]!;
      const share = { start: 0, middle: 0.5, end: 1 }[anchor];
      labels.set(name, { x: at.x + share * width, y: at.y + 11 * unit, anchor, lines });
    };
    (spot.kind === "robot" ? moving : still).push({ options: order.map((side) => sides[side]!), put, chosen: -1 });
  }
  page.settle(still);
  const rooms: { name: string; x: number; y: number }[] = [];
  page.settle(roomNames(floor, { x, y, unit, frame }, rooms));
  page.settle(moving); // last, so that they push no others away as they pass
  return { labels, dots, rooms };
}

/** Names of rooms in that corner of theirs where there is room. */
function roomNames(floor: Floor, { x, y, unit }: Drawing, rooms: { name: string; x: number; y: number }[]): Piece[] {
  return (floor.rooms ?? []).map(({ name, low, high }) => {
    const [width, height, gap] = [measure(name, 13) * unit, 16 * unit, 6 * unit];
    const [left, right] = [x(low[0]!) + gap, x(high[0]!) - gap - width];
    const [top, bottom] = [y(high[1]!) + gap, y(low[1]!) - gap - height];
    const options = [bottom, top, (top + bottom) / 2].flatMap((v) =>
      [left, right, (left + right) / 2].map((u) => ({ x: u, y: v, width, height })),
    );
    return { options, put: (at) => void rooms.push({ name, x: at.x, y: at.y + 12 * unit }), chosen: -1 };
  });
}
