/** Where everything is believed to be: furniture, things on and in it, doors, people, and robots on their way. */

import { items, text } from "./events";
import type { Floor } from "./floor_plan";
import { Entity, RunState, isGiven } from "./state";
import { Timeline, countUpTo } from "./timeline";
import type { RunView } from "./view";

export type Point = readonly [number, number];

export interface Spot {
  readonly entity: Entity;
  readonly at: Point;
  readonly kind: "furniture" | "door" | "robot" | "person" | "item" | "spot";
  /** What it is in, and cannot be seen in. */
  readonly inside: string;
  /** What it lies on or hangs on, or whom it was given to. */
  readonly on: string;
  /** The robot that holds it, and in which hand. */
  readonly holder: string;
  readonly hand: string;
  readonly fresh: boolean;
  /** Half the width of what is drawn of a piece of furniture, in metres: it keeps clear of those beside it. */
  readonly half: number;
}

/** Half the width of furniture that has room around it, and the least, in metres. */
const WIDE = 1 / 3;
const NARROW = 0.12;
/** How far from the middle of its furniture a robot stands, in metres. */
const REACH = 0.55;

const PEOPLE = new Set(["person", "human"]);
/** Predicates that say what a thing lies on, or whom it was given to. */
const ON = new Set(["on", "under", "hung_on", "given"]);
const UNSEEN = new Set(["hand", "waypoint"]);
/** A place on the floor, beside no furniture: it is shown where an action names it, or a robot stands there. */
const WAYPOINT = "waypoint";
/** What is drawn later lies on top. */
const ORDER = { spot: 0, furniture: 1, door: 2, robot: 3, person: 4, item: 5 };

interface Rest {
  readonly how: "inside" | "on" | "held";
  readonly by: string;
  readonly hand: string;
}

export function robotsOf(state: RunState): readonly string[] {
  return text(state.started.robot).split(", ").filter(Boolean);
}

/** What has a place at the moment on screen, or according to *state*. */
export function spotsOf(view: RunView, state: RunState = view.state): Spot[] {
  const robots = robotsOf(state);
  const rests = restsOf(state);
  const standing = new Map(robots.map((robot) => [robot, standsAt(view, robot)]));
  const place = (name: string, depth = 0): Point | null => {
    const stands = standing.get(name);
    if (stands) return stands;
    const rest = rests.get(name);
    return (rest !== undefined && depth < 4 ? place(rest.by, depth + 1) : null) ?? poseOf(state, name);
  };
  const fresh = freshNames(state);
  const named = namedInActions(view.timeline);
  const stands = new Set(state.stands.values());
  const spots: Spot[] = [];
  for (const entity of state.entities.values()) {
    const isNamed = entity.class === WAYPOINT && (named.has(entity.name) || stands.has(entity.name));
    if (UNSEEN.has(entity.class) && !isNamed) continue;
    const at = place(entity.name);
    if (at === null) continue;
    const kind = kindOf(entity, robots);
    const rest = rests.get(entity.name);
    spots.push({
      entity,
      at,
      kind,
      inside: rest?.how === "inside" ? rest.by : "",
      on: rest?.how === "on" ? rest.by : "",
      holder: rest?.how === "held" ? rest.by : "",
      hand: rest?.hand ?? "",
      fresh: fresh.has(entity.name),
      half: kind === "furniture" ? halfOf(view.timeline.head, entity, at) : 0,
    });
  }
  return spots.sort((a, b) => ORDER[a.kind] - ORDER[b.kind]);
}

/** Furniture, doors and people, with all that the run gets to know of them: the same at every moment. */
export function fixedSpots(view: RunView): Spot[] {
  return spotsOf(view, view.timeline.head).filter(({ kind }) => kind !== "item" && kind !== "robot" && kind !== "spot");
}

/** What the actions of a run name, and how many actions have been read. */
interface Named {
  readonly names: Set<string>;
  actions: number;
}

const namedOf = new WeakMap<Timeline, Named>();

function namedInActions(timeline: Timeline): ReadonlySet<string> {
  const found = namedOf.get(timeline) ?? { names: new Set<string>(), actions: 0 };
  namedOf.set(timeline, found);
  const { actions } = timeline.head;
  if (actions.size > found.actions) {
    for (const action of actions.values()) for (const name of action.arguments) found.names.add(name);
    found.actions = actions.size;
  }
  return found.names;
}

/** Places on the floor that matter at the moment: where a robot stands, and those that an action under way names. */
export function placesInUse(state: RunState): ReadonlySet<string> {
  const names = new Set(state.stands.values());
  for (const id of state.plan) {
    const action = state.actions.get(id);
    if (action?.status === "running") for (const name of action.arguments) names.add(name);
  }
  return names;
}

/** What things were ever on and in, in the order in which they came. */
interface Shelves {
  readonly on: Map<string, string[]>;
  readonly inside: Set<string>;
  /** So many of the events have been read. */
  read: number;
}

const shelvesOf = new WeakMap<Timeline, Shelves>();

/** For each place what lies on it at some moment of the run, and in which things anything ever is. */
export function shelves({ timeline }: RunView): Pick<Shelves, "on" | "inside"> {
  const found = shelvesOf.get(timeline) ?? { on: new Map(), inside: new Set(), read: 0 };
  shelvesOf.set(timeline, found);
  const told = timeline.of("belief.changed");
  for (; found.read < told.length; found.read++) {
    for (const [atom, truth] of items<[string[], string]>(told[found.read]![4].facts)) {
      const [predicate = "", thing, place] = atom;
      if (truth !== "true" || thing === undefined || place === undefined) continue;
      if (predicate === "in") found.inside.add(place);
      if (!ON.has(predicate)) continue;
      const row = found.on.get(place);
      if (row === undefined) found.on.set(place, [thing]);
      else if (!row.includes(thing)) row.push(thing);
    }
  }
  return found;
}

function kindOf(entity: Entity, robots: readonly string[]): Spot["kind"] {
  if (robots.includes(entity.name) || entity.class === "robot") return "robot";
  if (PEOPLE.has(entity.class)) return "person";
  if (entity.class === "door") return "door";
  if (entity.class === WAYPOINT) return "spot";
  return entity.fixed ? "furniture" : "item";
}

/** Half the width at which a piece of furniture meets none that ever stands beside it. */
function halfOf(state: RunState, { name }: Entity, at: Point): number {
  let half = WIDE;
  for (const other of state.entities.values()) {
    const pose = other.fixed && other.name !== name && !UNSEEN.has(other.class) ? poseOf(state, other.name) : null;
    if (pose === null || other.class === "door") continue;
    const apart = Math.max(Math.abs(pose[0] - at[0]), Math.abs(pose[1] - at[1]));
    half = Math.min(half, apart / 2 - 0.02);
  }
  return Math.max(NARROW, half);
}

function restsOf(state: RunState): Map<string, Rest> {
  const rests = new Map<string, Rest>();
  for (const fact of state.facts.values()) {
    if (fact.truth !== "true") continue;
    const [predicate, one, other, third] = fact.atom;
    if (one === undefined || other === undefined) continue;
    if (predicate === "in") rests.set(one, { how: "inside", by: other, hand: "" });
    else if (ON.has(predicate ?? "")) {
      rests.set(one, { how: "on", by: other, hand: "" });
    } else if (predicate === "holding" && third !== undefined) {
      rests.set(third, { how: "held", by: one, hand: other.replace(`${one}_`, "") });
    }
  }
  return rests;
}

export function poseOf(state: RunState, name: string): Point | null {
  const pose = state.entities.get(name)?.pose;
  return pose && pose.length >= 2 ? [pose[0]!, pose[1]!] : null;
}

/** Where a robot stands that is at *node*: on a waypoint, or on a side of a piece of furniture where there is room. */
function beside(state: RunState, node: string): Point | null {
  const pose = poseOf(state, node);
  if (pose === null || state.entities.get(node)?.class === "waypoint") return pose;
  const known = standingPlaces.get(state.started) ?? new Map<string, Point>();
  standingPlaces.set(state.started, known);
  const key = `${node} ${pose[0]} ${pose[1]}`;
  let place = known.get(key);
  if (place === undefined) {
    const sides = [[0, -REACH], [0, REACH], [-REACH, 0], [REACH, 0]].map(([x, y]): Point => [pose[0] + x!, pose[1] + y!]);
    place = sides.find((side) => isFree(state, side, node)) ?? sides[0]!;
    known.set(key, place);
  }
  return place;
}

/** Places beside furniture of a run, kept: the way of a long run has thousands of stops, drawn in every frame. */
const standingPlaces = new WeakMap<object, Map<string, Point>>();

/** Whether a robot could stand at *at*: on the floor, in no wall and not where other furniture is. */
function isFree(state: RunState, [x, y]: Point, beside: string): boolean {
  const { rooms = [], walls = [] } = (state.started.floor ?? {}) as Floor;
  const within = (low: readonly number[], high: readonly number[], margin: number): boolean =>
    x > low[0]! - margin && x < high[0]! + margin && y > low[1]! - margin && y < high[1]! + margin;
  if (rooms.length > 0 && !rooms.some((room) => within(room.low, room.high, -0.2))) return false;
  if (walls.some(([low, high]) => within(low, high, 0.1))) return false;
  for (const { name, fixed, class: kind } of state.entities.values()) {
    const pose = fixed && name !== beside && kind !== "door" && !UNSEEN.has(kind) ? poseOf(state, name) : null;
    if (pose !== null && within(pose, pose, 0.4)) return false;
  }
  return true;
}

/** Where a robot goes to: the place in a running action that comes after the one where it stands. */
export function targetOf(view: RunView, robot: string): Point | null {
  const way = wayOn(view.state, robot);
  return way === null ? null : beside(view.state, way.to);
}

function wayOn(state: RunState, robot: string): { id: string; from: string; to: string; started: number } | null {
  const from = state.stands.get(robot);
  for (const id of state.plan) {
    const action = state.actions.get(id);
    if (from === undefined || action?.status !== "running" || action.started === null) continue;
    const to = action.arguments.at(-1)!;
    const leads = action.arguments[0] === robot && to !== from && action.arguments.slice(1, -1).includes(from);
    if (leads && poseOf(state, to) !== null) return { id, from, to, started: action.started };
  }
  return null;
}

/**
 * Where a robot is. Under way it is believed to be nowhere: it is drawn between the two places, as far as time has gone
 * to the end that the record tells; while that is still to come, it stays where it began.
 */
function standsAt(view: RunView, robot: string): Point | null {
  const { state, timeline } = view;
  const node = state.stands.get(robot);
  const from = node === undefined ? null : beside(state, node);
  const way = wayOn(state, robot);
  const to = way === null ? null : beside(state, way.to);
  if (way === null || from === null || to === null) return from ?? poseOf(state, robot);
  const ends = timeline.of("action.ended");
  for (let index = countUpTo(ends, state.seq); index < ends.length; index++) {
    const [, , time, , data] = ends[index]!;
    if (data.action !== way.id) continue;
    if (text(data.outcome) !== "done") return from;
    const share = Math.min(1, Math.max(0, (view.time - way.started) / Math.max(time - way.started, 1e-6)));
    return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
  }
  return from;
}

/** The places where a robot has been up to the moment on screen, or to that of *state*, in order. */
export function wayOf({ timeline, state: shown }: RunView, robot: string, state: RunState = shown): Point[] {
  const way: Point[] = [];
  for (const row of timeline.of("belief.changed", state.seq)) {
    for (const [atom, truth] of (row[4].facts ?? []) as [string[], string][]) {
      if (atom[0] !== "rob_at_node" || atom[1] !== robot || truth !== "true") continue;
      const at = beside(state, atom[2] ?? "");
      if (at !== null) way.push(at);
    }
  }
  return way;
}

/** The source of what is not believed any more without anything having been seen, such as a way that is drawn anew. */
const WITHDRAWN = "default";

/** Things of which the newest event has told something new. */
function freshNames(state: RunState): Set<string> {
  const names = new Set<string>();
  let newest = 0;
  for (const fact of state.facts.values()) newest = Math.max(newest, fact.seq);
  if (newest <= 3) return names; // what is known from the start is not news
  for (const fact of state.facts.values()) {
    const isNews = fact.since === newest && !isGiven(fact) && fact.source !== WITHDRAWN;
    if (isNews && fact.atom[1] !== undefined) names.add(fact.atom[1]);
  }
  return names;
}
