/**
 * Where names stand on the map. Those of furniture, doors and rooms, and the places for what lies on furniture, are the
 * same over the whole run, so that two moments can be compared by eye; robots and what lies elsewhere come last.
 */

import type { Floor } from "./floor_plan";
import { ANCHORS, LabelPage, Piece, Rect, around } from "./label_page";
import { measure } from "./measure";
import type { Point, Spot } from "./world_spots";

export const LETTERS = 11.5;
export const LINE = 14.5;

/** A text on the map: where its first line stands. */
export interface Label {
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
  readonly lines: readonly string[];
}

interface At {
  readonly x: number;
  readonly y: number;
}

/** A column beside a piece of furniture, with rows for things that lie on it at some moment. */
interface Column extends At {
  /** What is drawn of the furniture. */
  readonly base: Rect;
  readonly width: number;
  /** Whether the names stand left of their dots. */
  readonly mirrored: boolean;
  /** The rows in the order in which they are taken. */
  readonly order: readonly number[];
}

/** What is at the same place over the whole run. */
export interface FixedLabels {
  readonly names: ReadonlyMap<string, Label>;
  readonly columns: ReadonlyMap<string, readonly Column[]>;
  /** What ever lies on each of them. */
  readonly shelves: ReadonlyMap<string, readonly string[]>;
  readonly rooms: readonly { readonly name: string; readonly x: number; readonly y: number }[];
  /** Where nothing more can stand. */
  readonly taken: readonly Rect[];
}

export interface Placed {
  readonly labels: ReadonlyMap<string, Label>;
  /** Where the dots of things are: in a column beside what they rest on. */
  readonly dots: ReadonlyMap<string, At>;
  /** For each piece of furniture a line to what lies on it, and along that. */
  readonly stems: ReadonlyMap<string, string>;
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
  spot: [17, 17], // a robot may stand on it
};

/** Of more things than that, the rows are given to those that are there at the moment. */
const ROWS = 12;

/** Rows of a column: what lies further off would seem to lie on what is beside it. */
const HIGHEST = 4;

function shapeOf({ kind, half }: Spot, { x }: Drawing): readonly [number, number] {
  if (kind !== "furniture") return SHAPES[kind];
  const side = x(half) - x(0) + 1;
  return [side, side];
}

function long(words: string, { unit }: Drawing): number {
  return measure(words, LETTERS) * unit;
}

/** What the places of moving things follow from. Robots count as far as one can see them move. */
export function signature(spots: readonly Spot[]): string {
  return spots
    .map(({ entity, at, inside, on, holder, hand }) => `${entity.name} ${at[0].toFixed(1)} ${at[1].toFixed(1)} ${inside} ${on} ${holder} ${hand}`)
    .join(";");
}

/**
 * Place what is the same over the whole run.
 *
 * @param fixed furniture, doors and people, as they are known at the end
 * @param shelves for each of them what ever lay on it, in the order in which it came
 * @param containers those that ever had something in them: their names are followed by how many things are in them
 * @param stops where robots ever stand: they would hide what is there
 */
export function placeFixed(
  fixed: readonly Spot[],
  shelves: ReadonlyMap<string, readonly string[]>,
  containers: ReadonlySet<string>,
  floor: Floor,
  stops: readonly Point[],
  drawing: Drawing,
): FixedLabels {
  const { x, y, unit } = drawing;
  const page = new LabelPage(drawing.frame, walls(floor, drawing));
  const names = new Map<string, Label>();
  const columns = new Map<string, readonly Column[]>();
  const pieces: Piece[] = [];
  for (const spot of fixed) {
    const [w, h] = shapeOf(spot, drawing);
    page.take({ x: x(spot.at[0]) - w, y: y(spot.at[1]) - h, width: 2 * w, height: 2 * h });
  }
  const [w, h] = SHAPES.robot;
  for (const [u, v] of stops) page.take({ x: x(u) - w, y: y(v) - h, width: 2 * w, height: 2 * h });
  for (const spot of fixed) {
    const rows = shelves.get(spot.entity.name) ?? [];
    if (rows.length > 0) pieces.push(...columnsBeside(spot, rows, drawing, columns, HIGHEST));
  }
  for (const spot of fixed) {
    const { name } = spot.entity;
    const counted = containers.has(name);
    const width = long(counted ? `${name} (8)` : name, drawing);
    const options = around(x(spot.at[0]), y(spot.at[1]), shapeOf(spot, drawing), width, LINE * unit, 2 * unit);
    const put = (at: Rect, option: number): void => {
      // A name keeps its place when the number behind it comes and goes.
      const anchor = counted ? "start" : ANCHORS[option]!;
      const share = { start: 0, middle: 0.5, end: 1 }[anchor];
      names.set(name, { x: at.x + share * width, y: at.y + 11 * unit, anchor, lines: [name] });
    };
    pieces.push({ options, put });
  }
  page.settle(pieces);
  const rooms: { name: string; x: number; y: number }[] = [];
  page.settle(roomNames(floor, drawing, rooms));
  return { names, columns, shelves, rooms, taken: page.taken };
}

/** The places for what lies on a piece of furniture: columns beside, below or above it, none of them high. */
function columnsBeside(
  base: Spot,
  things: readonly string[],
  drawing: Drawing,
  columns: Map<string, readonly Column[]>,
  highest: number,
): Piece[] {
  const found: Column[] = [];
  columns.set(base.entity.name, found);
  const pieces: Piece[] = [];
  const count = Math.min(things.length, ROWS);
  for (let first = 0; first < count; first += highest) {
    const names = things.length > ROWS ? things : things.slice(first, first + highest);
    const rows = Math.min(highest, count - first);
    pieces.push(column(base, names, rows, drawing, (each) => void (found[first / highest] = each)));
  }
  return pieces;
}

function column(
  base: Spot,
  names: readonly string[],
  rows: number,
  drawing: Drawing,
  take: (column: Column) => void,
): Piece {
  const { unit } = drawing;
  const [u, v] = [drawing.x(base.at[0]), drawing.y(base.at[1])];
  const [w, h] = shapeOf(base, drawing);
  const width = Math.max(...names.map((name) => long(name, drawing))) + 13 * unit;
  const height = rows * LINE * unit;
  const options = [u + w + 3 * unit, u - w - 3 * unit - width]
    .flatMap((left) => [v - h, v + h - height, v - height / 2, v - h / 2, v + h / 2 - height].map((top) => ({ x: left, y: top, width, height })))
    .concat([
      { x: u - w, y: v + h + 3 * unit, width, height },
      { x: u - w, y: v - h - 3 * unit - height, width, height },
    ]);
  const put = (at: Rect, option: number): void =>
    take({
      x: at.x,
      y: at.y,
      width,
      mirrored: option >= 5 && option < 10,
      base: { x: u - w, y: v - h, width: 2 * w, height: 2 * h },
      order: nearestFirst(rows, at.y, v, LINE * unit),
    });
  return { options, put };
}

/** The rows of a column that begins at *top*, those nearest to the furniture at *y* first. */
function nearestFirst(rows: number, top: number, y: number, line: number): readonly number[] {
  const apart = (row: number): number => Math.abs(top + (row + 0.5) * line - y);
  return Array.from({ length: rows }, (_, row) => row).sort((one, other) => apart(one) - apart(other) || one - other);
}

/**
 * Place what is there at the moment: things in the rows of their furniture, the rest where there is room.
 *
 * @param inUse places on the floor that have names at the moment
 */
export function placeMoving(
  spots: readonly Spot[],
  fixed: FixedLabels,
  inUse: ReadonlySet<string>,
  drawing: Drawing,
): Placed {
  const { frame } = drawing;
  const labels = new Map<string, Label>();
  const dots = new Map<string, At>();
  const stems = new Map<string, string>();
  const counts = new Map<string, number>();
  const held = new Map<string, string[]>();
  const lying = new Map<string, Spot[]>();
  const page = new LabelPage(frame, [...fixed.taken]);
  const pieces: Piece[] = [];
  for (const spot of spots) {
    const { name } = spot.entity;
    if (spot.inside !== "") counts.set(spot.inside, (counts.get(spot.inside) ?? 0) + 1);
    else if (spot.holder !== "") held.set(spot.holder, [...(held.get(spot.holder) ?? []), `${spot.hand}: ${name}`]);
    else if (spot.kind === "item") lying.set(spot.on || name, [...(lying.get(spot.on || name) ?? []), spot]);
  }
  const places = new Map(spots.map((spot) => [spot.entity.name, spot]));
  for (const [on, things] of lying) {
    const present = things.map(({ entity }) => entity.name);
    const put = (rows: readonly string[], columns: readonly Column[], highest: number): void => {
      const line = putRows(present, rows, columns, highest, drawing, labels, dots);
      if (on !== present[0]) stems.set(on, line);
    };
    const shelf = fixed.columns.get(on);
    if (shelf !== undefined) {
      put(fixed.shelves.get(on) ?? present, shelf, HIGHEST);
      continue;
    }
    const found = new Map<string, readonly Column[]>();
    const base = places.get(on) ?? things[0]!;
    // Placed anew with every change, so in one piece: more would take too long.
    const beside = columnsBeside(base, present, drawing, found, ROWS);
    const last = beside.pop()!;
    const all = (at: Rect, option: number): void => {
      last.put(at, option);
      put(present, found.get(base.entity.name)!, ROWS);
    };
    pieces.push(...beside, { ...last, put: all });
  }
  for (const spot of spots) {
    if (spot.kind === "item" || (spot.kind === "spot" && !inUse.has(spot.entity.name))) continue;
    const { name } = spot.entity;
    const count = counts.get(name);
    const words = count === undefined ? name : `${name} (${count})`;
    const label = spot.kind === "robot" ? undefined : fixed.names.get(name);
    if (label !== undefined) labels.set(name, { ...label, lines: [words] });
    else pieces.push(ownName(spot, [words, ...(held.get(name) ?? [])], drawing, labels));
  }
  page.settle(pieces);
  return { labels, dots, stems };
}

/** A name that goes with what moves. */
function ownName(spot: Spot, lines: readonly string[], drawing: Drawing, labels: Map<string, Label>): Piece {
  const { x, y, unit } = drawing;
  const width = Math.max(...lines.map((line) => long(line, drawing)));
  const sides = around(x(spot.at[0]), y(spot.at[1]), shapeOf(spot, drawing), width, lines.length * LINE * unit, 2 * unit);
  const order = [1, 0, 2, 3, 6, 7, 4, 5];
  const put = (at: Rect, option: number): void => {
    const anchor = ANCHORS[order[option]!]!;
    const share = { start: 0, middle: 0.5, end: 1 }[anchor];
    labels.set(spot.entity.name, { x: at.x + share * width, y: at.y + 11 * unit, anchor, lines });
  };
  return { options: order.map((side) => sides[side]!), put };
}

/**
 * Dots and names of what lies on something, each in its own row while there are rows enough.
 *
 * @param things what ever lies there
 * @return the lines from the furniture to them
 */
function putRows(
  present: readonly string[],
  things: readonly string[],
  columns: readonly Column[],
  highest: number,
  { unit }: Drawing,
  labels: Map<string, Label>,
  dots: Map<string, At>,
): string {
  const stems: At[][] = columns.map(() => []);
  present.forEach((name, index) => {
    const place = things.length <= ROWS ? Math.max(0, things.indexOf(name)) : index;
    const which = Math.min(Math.floor(place / highest), columns.length - 1);
    const { x, y, width, mirrored, order } = columns[which]!;
    const row = place - which * highest;
    const dot = { x: mirrored ? x + width - 4 * unit : x + 4 * unit, y: y + ((order[row] ?? row) + 0.5) * LINE * unit };
    dots.set(name, dot);
    stems[which]!.push(dot);
    const anchor = mirrored ? "end" : "start";
    labels.set(name, { x: dot.x + (mirrored ? -9 : 9) * unit, y: dot.y + 4 * unit, anchor, lines: [name] });
  });
  return columns.map(({ base }, which) => stem(base, stems[which]!)).join(" ");
}

/** A line through the dots of what lies on a piece of furniture, and the shortest one from there to the furniture. */
function stem(base: Rect, dots: readonly At[]): string {
  if (dots.length === 0) return "";
  const clamp = (at: number, low: number, size: number): number => Math.min(Math.max(at, low), low + size);
  const [x, top] = [dots[0]!.x, Math.min(...dots.map((dot) => dot.y))];
  const bottom = Math.max(...dots.map((dot) => dot.y));
  const y = clamp(base.y + base.height / 2, top, bottom - top);
  return `M${clamp(x, base.x, base.width)},${clamp(y, base.y, base.height)} L${x},${y} M${x},${top} V${bottom}`;
}

/** Walls, around rooms and as strips, and names of places that are part of the floor. */
function walls(floor: Floor, { x, y, unit }: Drawing): Rect[] {
  const thick = 3 * unit;
  const found: Rect[] = [];
  for (const { low, high } of floor.rooms ?? []) {
    const [left, right, top, bottom] = [x(low[0]!), x(high[0]!), y(high[1]!), y(low[1]!)];
    for (const v of [top, bottom]) found.push({ x: left, y: v - thick / 2, width: right - left, height: thick });
    for (const u of [left, right]) found.push({ x: u - thick / 2, y: top, width: thick, height: bottom - top });
  }
  for (const [low, high] of floor.walls ?? []) {
    const [left, top] = [x(low[0]!), y(high[1]!)];
    found.push({ x: left, y: top, width: x(high[0]!) - left, height: y(low[1]!) - top });
  }
  for (const { name, at } of floor.names ?? []) {
    const width = measure(name, 13) * unit;
    found.push({ x: x(at[0]!) - width / 2, y: y(at[1]!) - 12 * unit, width, height: 16 * unit });
  }
  return found;
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
    return { options, put: (at) => void rooms.push({ name, x: at.x, y: at.y + 12 * unit }) };
  });
}
