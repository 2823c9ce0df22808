/** The world as it is believed to be: floor plan, furniture, things, people, robots and the way they took. */

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { CameraView } from "./camera_view";
import { Surprise } from "./controls";
import { UnseenFault, unseenFaults } from "./faults";
import { DoorLeaf, Floor, FloorPlan, standsUpright } from "./floor_plan";
import type { RunState } from "./state";
import type { RunView } from "./view";
import { Facts } from "./world_facts";
import { placeFixed, placeMoving, signature } from "./world_labels";
import { WorldLegend } from "./world_legend";
import { Point, Spot, fixedSpots, placesInUse, robotsOf, shelves, spotsOf, targetOf, wayOf } from "./world_spots";
import { Card, Name, Thing, describe, handsOf, opennessOf } from "./world_things";

/** Pixels per metre. */
const SCALE = 60;
const MARGIN = 0.5;

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

export function WorldPanel({ view }: { view: RunView }) {
  const { state } = view;
  const map = useRef<SVGSVGElement>(null);
  const dragged = useRef<Point | null>(null);
  const [zoom, setZoom] = useState(WHOLE);
  const [pointed, setPointed] = useState<string | null>(null);
  const [shown, setShown] = useState({ width: 600, height: 600 });
  const robots = robotsOf(state);
  const spots = useMemo(() => spotsOf(view), [state, state.seq, view.time]);
  const floor = (state.started.floor ?? {}) as Floor;
  const { head } = view.timeline;
  const fixed = useMemo(() => fixedSpots(view), [head, head.seq]);
  const around = signature(fixed);
  const box = useMemo(() => bounds(head, floor), [state.started, around, head.entities.size]);
  const empty = spots.length === 0 && floor.rooms === undefined && floor.ground === undefined;
  useLayoutEffect(() => {
    if (map.current === null) return;
    const fit = new ResizeObserver(([entry]) => setShown(entry!.contentRect));
    fit.observe(map.current);
    return () => fit.disconnect();
  }, [empty]);
  const [low, high] = box;
  const [width, height] = [(high[0] - low[0]) * SCALE, (high[1] - low[1]) * SCALE];
  const x = (at: number): number => (at - low[0]) * SCALE;
  const y = (at: number): number => (high[1] - at) * SCALE;
  // Names are as large on screen whatever the scale is.
  const unit = Math.max((width * zoom.size) / shown.width, (height * zoom.size) / shown.height);
  const drawing = { x, y, unit, frame: frameOf(width, height, shown, unit / zoom.size) };
  const { on, inside } = shelves(view);
  const known = [...on].map(([place, things]) => `${place} ${things.length}`).join(" ");
  const stops = useMemo(() => distinct(robots.flatMap((robot) => wayOf(view, robot, head))), [head, head.seq]);
  const still = useMemo(() => placeFixed(fixed, on, inside, floor, stops, drawing), [stops.length, around, known, inside.size, floor, unit, box, shown]);
  const inUse = placesInUse(state);
  const placed = useMemo(() => placeMoving(spots, still, inUse, drawing), [signature(spots), still, [...inUse].join(" ")]);
  if (empty && state.camera === null) return <p class="empty">Nothing has a place yet.</p>;
  const chosen = view.thing?.kind === "entity" ? view.thing.id : null;
  const holds = (name: string): Spot[] => spots.filter((spot) => spot.holder === name);
  const contents = new Map<string, string[]>();
  for (const { inside, entity } of spots) {
    if (inside !== "") contents.set(inside, [...(contents.get(inside) ?? []), entity.name]);
  }
  const unseen = unseenFaults(view);
  const words = (spot: Spot, openness = opennessOf(state, spot)): string =>
    describe(spot, openness, contents.get(spot.entity.name) ?? [], handsOf(state, spot, holds(spot.entity.name)));
  const choose = (name: string): void => {
    setPointed(null); // its facts say more
    view.select({ kind: "entity", id: name });
  };
  const point = (name: string) => (on: boolean) => setPointed(on ? name : null);
  const under = spots.find((spot) => spot.entity.name === pointed);
  return (
    <div class="world">
      <Caption view={view} robots={robots.length} unseen={unseen} />
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
        {still.rooms.map((room) => (
          <text key={room.name} class="room" x={room.x} y={room.y}>
            {room.name}
          </text>
        ))}
        {robots.map((robot) => {
          const now = spots.find((spot) => spot.entity.name === robot)?.at;
          const target = targetOf(view, robot);
          const way = [...wayOf(view, robot), ...(now === undefined ? [] : [now])];
          return (
            <g key={robot}>
              <polyline class="way" points={way.map((at) => `${x(at[0])},${y(at[1])}`).join(" ")} />
              {now !== undefined && target !== null && (
                <line class="target" x1={x(now[0])} y1={y(now[1])} x2={x(target[0])} y2={y(target[1])} />
              )}
            </g>
          );
        })}
        {[...placed.stems].map(([name, path]) => (
          <path key={name} class={name === chosen || name === pointed ? "stem chosen" : "stem"} d={path} />
        ))}
        {spots
          .filter((spot) => spot.inside === "")
          .map((spot) => {
            const { name } = spot.entity;
            const inHand = spot.holder === "" ? 0 : holds(spot.holder).indexOf(spot) * 11 - (holds(spot.holder).length - 1) * 5.5;
            const openness = opennessOf(state, spot);
            const dot = placed.dots.get(name) ?? { x: x(spot.at[0]) + inHand, y: y(spot.at[1]) };
            return (
              <Thing
                key={name}
                spot={spot}
                x={spot.kind === "item" ? dot.x : x(spot.at[0])}
                y={spot.kind === "item" ? dot.y : y(spot.at[1])}
                half={spot.half * SCALE}
                chosen={chosen === name}
                words={words(spot, openness)}
                openness={openness}
                onChoose={() => choose(name)}
                onPoint={point(name)}
              >
                {spot.kind === "door" && <DoorLeaf open={openness} upright={standsUpright(floor, spot.at[0])} />}
              </Thing>
            );
          })}
        {unseen.map((fault) => (
          <Unseen key={fault.thing} fault={fault} spots={spots} x={x} y={y} />
        ))}
        {spots
          .filter((spot) => placed.labels.has(spot.entity.name))
          .map((spot) => (
            <Name
              key={spot.entity.name}
              spot={spot}
              label={placed.labels.get(spot.entity.name)!}
              unit={unit}
              chosen={chosen === spot.entity.name}
              onPoint={point(spot.entity.name)}
              onChoose={() => choose(spot.entity.name)}
            />
          ))}
      </svg>
      {under !== undefined && map.current !== null && <Card words={words(under)} at={cardPlace(map.current, [x(under.at[0]), y(under.at[1])])} />}
      {chosen !== null && <Facts view={view} name={chosen} />}
      <WorldLegend view={view} spots={spots} unseen={unseen.length > 0} />
      <CameraView view={view} />
      <Surprise view={view} />
    </div>
  );
}

/** Whose view of the world it is, and when; and what of the world is otherwise by now. */
function Caption({ view, robots, unseen }: { view: RunView; robots: number; unseen: readonly UnseenFault[] }) {
  const who = robots === 0 ? "As believed" : robots === 1 ? "As the robot believes" : "As the robots believe";
  return (
    <div class="believed">
      <span>
        {who} at {view.time.toFixed(1)} s
      </span>
      {unseen.map((fault) => (
        <span key={fault.thing} class="unseen">
          ϟ {robots > 1 ? "No robot has" : "The robot has not"} seen yet: {fault.words} ({fault.time.toFixed(1)} s)
        </span>
      ))}
    </div>
  );
}

/** From where a thing is believed to be to where it really is. */
function Unseen(props: { fault: UnseenFault; spots: readonly Spot[]; x: (at: number) => number; y: (at: number) => number }) {
  const { fault, spots, x, y } = props;
  const at = (name: string | null): Point | undefined => spots.find((spot) => spot.entity.name === name)?.at;
  const [from, to] = [at(fault.thing), at(fault.place) ?? at(fault.thing)];
  if (to === undefined) return null;
  return (
    <g class="unseen">
      {from !== undefined && <line x1={x(from[0])} y1={y(from[1])} x2={x(to[0])} y2={y(to[1])} />}
      <path transform={`translate(${x(to[0])} ${y(to[1])}) scale(1.6)`} d="M1,-8 L-5,2 L-1,2 L-2,8 L5,-2 L1,-2 z" />
    </g>
  );
}

/** Beside a point of the map, in the panel's own pixels, on the side where there is room. */
function cardPlace(map: SVGSVGElement, [x, y]: Point): { x: number; y: number; left: boolean } {
  const at = new DOMPoint(x, y).matrixTransform(map.getScreenCTM()!);
  const panel = map.parentElement!.getBoundingClientRect();
  const left = at.x - panel.left > panel.width / 2;
  return { x: (left ? panel.right - at.x : at.x - panel.left) + 26, y: Math.max(0, at.y - panel.top - 12), left };
}

/** All that can be seen of the drawing: more than the map itself where the panel has another shape. */
function frameOf(width: number, height: number, shown: { width: number; height: number }, unit: number) {
  const [w, h] = [Math.max(width, shown.width * unit), Math.max(height, shown.height * unit)];
  return { x: (width - w) / 2, y: (height - h) / 2, width: w, height: h };
}

/** Where the mouse is, in the map's own units. */
function pointOf(event: MouseEvent, map: SVGSVGElement): Point {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM()!.inverse());
  return [at.x, at.y];
}

function distinct(points: readonly Point[]): Point[] {
  return [...new Map(points.map((at) => [at.join(" "), at])).values()];
}

/** All that has a place at any moment of the run, so that the map does not move between two of them. */
function bounds(head: RunState, floor: Floor): readonly [Point, Point] {
  const points: Point[] = [];
  for (const { pose } of head.entities.values()) if (pose !== null && pose.length >= 2) points.push([pose[0]!, pose[1]!]);
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
