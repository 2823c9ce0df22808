/** The world as it is believed to be: floor plan, furniture, things, people, robots and the way they took. */

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Entity, Fact, RunState } from "./state";
import { text } from "./events";
import { Surprise } from "./controls";
import type { RunView } from "./view";

export interface Floor {
  readonly rooms?: readonly { name: string; low: readonly number[]; high: readonly number[] }[];
  readonly doors?: readonly { name: string; at: readonly number[]; open?: boolean }[];
  readonly passages?: readonly (readonly [readonly number[], readonly number[]])[];
  /** Strips of floor and of walls, by their corners, where rooms are no rectangles. */
  readonly ground?: readonly Strip[];
  readonly walls?: readonly Strip[];
  readonly names?: readonly { name: string; at: readonly number[] }[];
}

type Strip = readonly [readonly number[], readonly number[]];

type Point = readonly [number, number];

/** Pixels per metre. */
const SCALE = 60;
const MARGIN = 0.7;

const AGENTS = new Set(["robot", "person", "human"]);
const UNSEEN = new Set(["hand", "waypoint"]);

/** The part of the map that is shown: its corner and its size, as shares of the whole. */
interface Zoom {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

const WHOLE: Zoom = { x: 0, y: 0, size: 1 };

function frame({ x, y, size }: Zoom, width: number, height: number): string {
  return `${x * width} ${y * height} ${size * width} ${size * height}`;
}

/** Zoom so that *at*, in the map's own units, stays where it is. */
function zoomed(zoom: Zoom, factor: number, [x, y, width, height]: readonly [number, number, number, number]): Zoom {
  const size = Math.min(1, Math.max(0.05, zoom.size * factor));
  if (size === 1) return WHOLE;
  const share = size / zoom.size;
  return { size, x: x / width - (x / width - zoom.x) * share, y: y / height - (y / height - zoom.y) * share };
}

interface Spot {
  readonly entity: Entity;
  readonly at: Point;
  readonly kind: "furniture" | "item" | "robot" | "person";
  readonly inside: string;
  readonly fresh: boolean;
  /** Its place in the column of things beside what they rest on; -1 where it rests on nothing. */
  readonly row: number;
}

export function WorldPanel({ view }: { view: RunView }) {
  const { state } = view;
  const map = useRef<SVGSVGElement>(null);
  const dragged = useRef<Point | null>(null);
  const [zoom, setZoom] = useState(WHOLE);
  const [shown, setShown] = useState({ width: 600, height: 600 });
  const robots = text(state.started.robot).split(", ").filter(Boolean);
  const spots = useMemo(() => spotsOf(state, robots), [state]);
  const floor = (state.started.floor ?? {}) as Floor;
  const box = useMemo(() => bounds(spots, floor), [view.loaded, state.started, spots.length]);
  const empty = spots.length === 0 && floor.rooms === undefined && floor.ground === undefined;
  useLayoutEffect(() => {
    if (map.current === null) return;
    const fit = new ResizeObserver(([entry]) => setShown(entry!.contentRect));
    fit.observe(map.current);
    return () => fit.disconnect();
  }, [empty]);
  if (empty) return <p class="empty">Nothing has a place yet.</p>;
  const [low, high] = box;
  const x = (at: number): number => (at - low[0]) * SCALE;
  const y = (at: number): number => (high[1] - at) * SCALE;
  const [width, height] = [(high[0] - low[0]) * SCALE, (high[1] - low[1]) * SCALE];
  // Names are as large on screen whatever the scale is.
  const unit = Math.max((width * zoom.size) / shown.width, (height * zoom.size) / shown.height);
  // Things stand in a column right of what they rest on, from the top down, their names below each other.
  const row = Math.min(0.3, Math.max(0.1, (15 * unit) / SCALE));
  const chosen = view.selected?.kind === "entity" ? view.selected.id : null;
  const inside = new Map<string, string[]>();
  for (const spot of spots) {
    if (spot.inside === "") continue;
    const others = inside.get(spot.inside);
    if (others === undefined) inside.set(spot.inside, [spot.entity.name]);
    else others.push(spot.entity.name);
  }
  return (
    <div class="world">
      <svg
        ref={map}
        class={unit > 4 ? "far farther" : unit > 2 ? "far" : ""}
        viewBox={frame(zoom, width, height)}
        role="img"
        aria-label="Map of what is believed"
        preserveAspectRatio="xMidYMid meet"
        style={{ "--unit": `${unit}px` }}
        onWheel={(event) => {
          event.preventDefault();
          const [x, y] = pointOf(event, map.current!);
          setZoom(zoomed(zoom, Math.exp(event.deltaY * 0.0015), [x, y, width, height]));
        }}
        onDblClick={() => setZoom(WHOLE)}
        onPointerDown={(event) => void (dragged.current = pointOf(event, map.current!))}
        onPointerMove={(event) => {
          if (dragged.current === null || event.buttons === 0) return;
          const [x0, y0] = dragged.current;
          const [x1, y1] = pointOf(event, map.current!);
          setZoom({ ...zoom, x: zoom.x - (x1 - x0) / width, y: zoom.y - (y1 - y0) / height });
        }}
        onPointerUp={() => void (dragged.current = null)}
      >
        <FloorPlan floor={floor} x={x} y={y} />
        {robots.map((robot) => (
          <polyline
            key={robot}
            class="way"
            points={wayOf(view, robot)
              .map((at) => `${x(at[0])},${y(at[1])}`)
              .join(" ")}
          />
        ))}
        {robots.map((robot) => {
          const spot = spots.find((each) => each.entity.name === robot);
          const target = targetOf(view, robot, spots);
          return (
            spot !== undefined &&
            target !== null && (
              <line key={robot} class="target" x1={x(spot.at[0])} y1={y(spot.at[1])} x2={x(target[0])} y2={y(target[1])} />
            )
          );
        })}
        {spots
          .filter((spot) => spot.inside === "")
          .map((spot) => (
            <Thing
              key={spot.entity.name}
              spot={spot}
              x={x(spot.at[0] + (spot.row < 0 ? 0 : 0.42))}
              y={y(spot.at[1] + (spot.row < 0 ? 0 : 0.3 - spot.row * row))}
              chosen={chosen === spot.entity.name}
              contents={inside.get(spot.entity.name) ?? []}
              onChoose={() => view.select({ kind: "entity", id: spot.entity.name })}
            />
          ))}
      </svg>
      {chosen !== null && <Facts state={state} name={chosen} />}
      <Surprise view={view} />
    </div>
  );
}

export function FloorPlan({ floor, x, y }: { floor: Floor; x: (at: number) => number; y: (at: number) => number }) {
  return (
    <g class="floor">
      <path class="ground" d={strips(floor.ground ?? [], x, y)} />
      <path class="walls" d={strips(floor.walls ?? [], x, y)} />
      {(floor.names ?? []).map((room, index) => (
        <text key={index} x={x(room.at[0]!)} y={y(room.at[1]!)} text-anchor="middle">
          {room.name}
        </text>
      ))}
      {(floor.rooms ?? []).map((room) => (
        <g key={room.name}>
          <rect
            x={x(room.low[0]!)}
            y={y(room.high[1]!)}
            width={x(room.high[0]!) - x(room.low[0]!)}
            height={y(room.low[1]!) - y(room.high[1]!)}
          />
          <text x={x(room.low[0]!) + 8} y={y(room.low[1]!) - 8}>
            {room.name}
          </text>
        </g>
      ))}
      {(floor.passages ?? []).map(([one, other], index) => (
        <line key={index} class="passage" x1={x(one[0]!)} y1={y(one[1]!)} x2={x(other[0]!)} y2={y(other[1]!)} />
      ))}
      {(floor.doors ?? []).map((door) => (
        <circle key={door.name} class="door" cx={x(door.at[0]!)} cy={y(door.at[1]!)} r={8}>
          <title>{door.name}</title>
        </circle>
      ))}
    </g>
  );
}

/** The outline of rectangles as one path: a home has hundreds. */
function strips(all: readonly Strip[], x: (at: number) => number, y: (at: number) => number): string {
  return all
    .map(([low, high]) => `M${x(low[0]!)},${y(low[1]!)}H${x(high[0]!)}V${y(high[1]!)}H${x(low[0]!)}Z`)
    .join("");
}

function Thing({
  spot,
  x,
  y,
  chosen,
  contents,
  onChoose,
}: {
  spot: Spot;
  x: number;
  y: number;
  chosen: boolean;
  contents: readonly string[];
  onChoose: () => void;
}) {
  const { entity, kind } = spot;
  const label = contents.length > 0 ? `${entity.name} (${contents.length})` : entity.name;
  return (
    <g
      class={`thing ${kind}${chosen ? " chosen" : ""}${spot.fresh ? " fresh" : ""}`}
      transform={`translate(${x} ${y})`}
      tabIndex={0}
      role="button"
      aria-label={`${entity.name}, ${entity.class}`}
      onClick={onChoose}
      onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && onChoose()}
    >
      <title>
        {entity.name}: {entity.class}
        {contents.length > 0 ? `. In it: ${contents.join(", ")}` : ""}
      </title>
      {kind === "furniture" ? (
        <rect x={-20} y={-20} width={40} height={40} rx={4} />
      ) : kind === "robot" ? (
        <circle r={15} />
      ) : kind === "person" ? (
        <path d="M0,-14 a7,7 0 1,1 0.1,0 z M-12,16 a12,16 0 0,1 24,0 z" />
      ) : (
        <circle class="dot" />
      )}
      {kind === "item" ? (
        <text class="name" x={9} y={4}>
          {label}
        </text>
      ) : (
        <text class="name" y={kind === "furniture" ? -25 : 30} text-anchor="middle">
          {label}
        </text>
      )}
    </g>
  );
}

function Facts({ state, name }: { state: RunState; name: string }) {
  const facts = [...state.facts.values()].filter((fact) => fact.truth !== "false" && fact.atom.includes(name));
  return (
    <p class="facts">
      <b>{name}</b>{" "}
      {facts.map((fact) => (
        <code key={fact.atom.join(" ")} class={fact.truth}>
          {fact.atom.join(" ")}
          {fact.truth === "unknown" ? " ?" : ""}
        </code>
      ))}
    </p>
  );
}

/** Where the mouse is, in the map's own units. */
function pointOf(event: MouseEvent, map: SVGSVGElement): Point {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM()!.inverse());
  return [at.x, at.y];
}

/** Where everything is drawn. Things on the same piece of furniture stand around its middle. */
function spotsOf(state: RunState, robots: readonly string[]): Spot[] {
  const rests = new Map<string, { on: string; inside: boolean }>();
  const at = new Map<string, string>();
  for (const fact of state.facts.values()) {
    if (fact.truth !== "true") continue;
    const [predicate, one, other, third] = fact.atom;
    if (one === undefined || other === undefined) continue;
    if (predicate === "in") rests.set(one, { on: other, inside: true });
    else if (predicate === "on" || predicate === "under" || predicate === "hung_on") rests.set(one, { on: other, inside: false });
    else if (predicate === "holding" && third !== undefined) rests.set(third, { on: one, inside: false });
    else if (predicate === "given") rests.set(one, { on: other, inside: false });
    else if (predicate === "rob_at_node") at.set(one, other);
  }
  const place = (name: string, depth = 0): Point | null => {
    const node = at.get(name);
    const pose = (node === undefined ? null : poseOf(state, node)) ?? null;
    if (pose !== null && robots.includes(name)) return [pose[0], pose[1] - 0.55];
    const rest = rests.get(name);
    if (rest !== undefined && depth < 4) return place(rest.on, depth + 1) ?? poseOf(state, name);
    return poseOf(state, name);
  };
  const around = new Map<string, number>();
  const fresh = freshNames(state);
  const spots: Spot[] = [];
  for (const entity of state.entities.values()) {
    if (UNSEEN.has(entity.class)) continue;
    const where = place(entity.name);
    if (where === null) continue;
    const kind = robots.includes(entity.name) || entity.class === "robot" ? "robot" : AGENTS.has(entity.class) ? "person" : entity.fixed ? "furniture" : "item";
    const rest = rests.get(entity.name);
    let row = -1;
    if (kind === "item" && rest !== undefined) {
      row = around.get(rest.on) ?? 0;
      around.set(rest.on, row + 1);
    }
    spots.push({ entity, at: where, kind, inside: rest?.inside ? rest.on : "", fresh: fresh.has(entity.name), row });
  }
  const order = { furniture: 0, person: 1, robot: 2, item: 3 };
  return spots.sort((a, b) => order[a.kind] - order[b.kind]);
}

function poseOf(state: RunState, name: string): Point | null {
  const pose = state.entities.get(name)?.pose;
  return pose && pose.length >= 2 ? [pose[0]!, pose[1]!] : null;
}

/** Things about which the newest event has said something. */
function freshNames(state: RunState): Set<string> {
  const names = new Set<string>();
  let newest = 0;
  for (const fact of state.facts.values()) newest = Math.max(newest, fact.seq);
  if (newest <= 3) return names; // what is known from the start is not news
  for (const fact of state.facts.values() as Iterable<Fact>) {
    if (fact.seq === newest && fact.atom[1] !== undefined) names.add(fact.atom[1]);
  }
  return names;
}

function bounds(spots: readonly Spot[], floor: Floor): readonly [Point, Point] {
  const points: Point[] = spots.map((spot) => spot.at);
  for (const room of floor.rooms ?? []) {
    points.push([room.low[0]!, room.low[1]!], [room.high[0]!, room.high[1]!]);
  }
  for (const [low, high] of floor.walls ?? []) points.push([low[0]!, low[1]!], [high[0]!, high[1]!]);
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  if (points.length === 0) return [[0, 0], [1, 1]];
  return [
    [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN],
    [Math.max(...xs) + MARGIN, Math.max(...ys) + MARGIN],
  ];
}

/** The places where a robot has been, in order. */
function wayOf(view: RunView, robot: string): Point[] {
  const { state, timeline } = view;
  const way: Point[] = [];
  for (const row of timeline.of("belief.changed", state.seq)) {
    for (const [atom, truth] of (row[4].facts ?? []) as [string[], string][]) {
      if (atom[0] !== "rob_at_node" || atom[1] !== robot || truth !== "true") continue;
      const pose = poseOf(state, atom[2] ?? "");
      if (pose !== null) way.push([pose[0], pose[1] - 0.55]);
    }
  }
  return way;
}

/** Where a robot is going: the place in its running action at which it is not yet. */
function targetOf(view: RunView, robot: string, spots: readonly Spot[]): Point | null {
  for (const id of view.state.plan) {
    const action = view.state.actions.get(id);
    if (action === undefined || (action.status !== "running" && action.status !== "intended")) continue;
    if (!action.arguments.includes(robot)) continue;
    const last = action.arguments[action.arguments.length - 1];
    const spot = spots.find((each) => each.entity.name === last);
    if (spot !== undefined && last !== robot) return spot.at;
  }
  return null;
}
