/** The world as it is believed to be: floor plan, furniture, things, people, robots and the way they took. */

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { CameraView } from "./camera_view";
import { Surprise } from "./controls";
import { DoorLeaf, Floor, FloorPlan, standsUpright } from "./floor_plan";
import { Fact, RunState, isGiven } from "./state";
import type { RunView } from "./view";
import { sayAtom } from "./words";
import { Label, placeLabels, signature } from "./world_labels";
import { Point, Spot, robotsOf, spotsOf, targetOf, wayOf } from "./world_spots";

/** Pixels per metre. */
const SCALE = 60;
const MARGIN = 0.7;

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
  const [shown, setShown] = useState({ width: 600, height: 600 });
  const robots = robotsOf(state);
  const spots = useMemo(() => spotsOf(view), [state, state.seq, view.time]);
  const floor = (state.started.floor ?? {}) as Floor;
  const box = useMemo(() => bounds(spots, floor), [view.loaded, state.started, spots.length]);
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
  const placed = useMemo(
    () => placeLabels(spots, floor, { x, y, unit, frame: frameOf(width, height, shown, unit / zoom.size) }),
    [signature(spots), floor, unit, box, shown],
  );
  if (empty && state.camera === null) return <p class="empty">Nothing has a place yet.</p>;
  const chosen = view.thing?.kind === "entity" ? view.thing.id : null;
  const holds = (name: string): Spot[] => spots.filter((spot) => spot.holder === name);
  const contents = new Map<string, string[]>();
  for (const { inside, entity } of spots) {
    if (inside !== "") contents.set(inside, [...(contents.get(inside) ?? []), entity.name]);
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
        {placed.rooms.map((room) => (
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
        {spots
          .filter((spot) => spot.inside === "")
          .map((spot) => {
            const { name } = spot.entity;
            const inHand = spot.holder === "" ? 0 : holds(spot.holder).indexOf(spot) * 11 - (holds(spot.holder).length - 1) * 5.5;
            const dot = placed.dots.get(name) ?? { x: x(spot.at[0]) + inHand, y: y(spot.at[1]) };
            return (
              <Thing
                key={name}
                spot={spot}
                x={spot.kind === "item" ? dot.x : x(spot.at[0])}
                y={spot.kind === "item" ? dot.y : y(spot.at[1])}
                chosen={chosen === name}
                contents={contents.get(name) ?? []}
                onChoose={() => view.select({ kind: "entity", id: name })}
              >
                {spot.kind === "door" && <DoorLeaf open={isOpen(state, name)} upright={standsUpright(floor, spot.at[0])} />}
              </Thing>
            );
          })}
        {spots
          .filter((spot) => placed.labels.has(spot.entity.name))
          .map((spot) => (
            <Name
              key={spot.entity.name}
              spot={spot}
              label={placed.labels.get(spot.entity.name)!}
              unit={unit}
              chosen={chosen === spot.entity.name}
              onChoose={() => view.select({ kind: "entity", id: spot.entity.name })}
            />
          ))}
      </svg>
      <p class="legend">
        <span>
          <i class="spot item" /> thing
        </span>
        <span>
          <i class="spot robot" /> robot, with its way
        </span>
        <span>
          <i class="spot person" /> person
        </span>
        <span class="fresh">changed just now</span>
        <span>(2): so many things are in it</span>
      </p>
      <CameraView view={view} />
      {chosen !== null && <Facts view={view} name={chosen} />}
      <Surprise view={view} />
    </div>
  );
}

/** All that can be seen of the drawing: more than the map itself where the panel has another shape. */
function frameOf(width: number, height: number, shown: { width: number; height: number }, unit: number) {
  const [w, h] = [Math.max(width, shown.width * unit), Math.max(height, shown.height * unit)];
  return { x: (width - w) / 2, y: (height - h) / 2, width: w, height: h };
}

function isOpen(state: RunState, door: string): boolean | null {
  const truth = state.facts.get(`open ${door}`)?.truth;
  return truth === undefined || truth === "unknown" ? null : truth === "true";
}

function Thing({
  spot,
  x,
  y,
  chosen,
  contents,
  onChoose,
  children,
}: {
  spot: Spot;
  x: number;
  y: number;
  chosen: boolean;
  contents: readonly string[];
  onChoose: () => void;
  children?: ComponentChildren;
}) {
  const { entity, kind } = spot;
  const half = spot.half * SCALE;
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
        {spot.holder !== "" ? `, in the ${spot.hand} of ${spot.holder}` : ""}
      </title>
      {children}
      {kind === "furniture" ? (
        <rect x={-half} y={-half} width={2 * half} height={2 * half} rx={4} />
      ) : kind === "robot" ? (
        <circle r={15} />
      ) : kind === "person" ? (
        <path d="M0,-3 a7,7 0 1,1 0.1,0 z M-12,16 a12,16 0 0,1 24,0 z" />
      ) : kind === "item" ? (
        <circle class={spot.holder === "" ? "dot" : "dot held"} />
      ) : null}
    </g>
  );
}

/** The name of a thing, above all that is drawn: no other thing hides it. */
function Name(props: { spot: Spot; label: Label; unit: number; chosen: boolean; onChoose: () => void }) {
  const { spot, label, unit, chosen, onChoose } = props;
  return (
    <text
      class={`name ${spot.kind}${chosen ? " chosen" : ""}${spot.fresh ? " fresh" : ""}`}
      text-anchor={label.anchor}
      x={label.x}
      onClick={onChoose}
    >
      {label.lines.map((line, index) => (
        <tspan key={index} x={label.x} y={label.y + index * 14.5 * unit}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** What is worth saying of a thing where it is not so, too. */
const STATES = new Set(["open", "turned_on"]);

function Facts({ view, name }: { view: RunView; name: string }) {
  const facts = [...view.state.facts.values()].filter(
    (fact) => fact.atom.includes(name) && (fact.truth !== "false" || STATES.has(fact.atom[0] ?? "")),
  );
  const [plain, more] = [facts.filter((fact) => !isGiven(fact)), facts.filter(isGiven)];
  return (
    <section class="facts">
      <b>{name}</b>{" "}
      <button type="button" class="close" aria-label={`Close ${name}`} onClick={() => view.forgetThing()}>
        ✕
      </button>
      <Sentences facts={plain} />
      {more.length > 0 && (
        <details>
          <summary>{more.length} from the map and from what it is</summary>
          <Sentences facts={more} />
        </details>
      )}
    </section>
  );
}

function Sentences({ facts }: { facts: readonly Fact[] }) {
  return (
    <p>
      {facts.map((fact) => (
        <span key={fact.atom.join(" ")} class={`fact ${fact.truth}`}>
          {fact.truth === "unknown" ? `unknown whether ${sayAtom(fact.atom)}` : sayAtom(fact.atom, fact.truth === "true")}
        </span>
      ))}
    </p>
  );
}

/** Where the mouse is, in the map's own units. */
function pointOf(event: MouseEvent, map: SVGSVGElement): Point {
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM()!.inverse());
  return [at.x, at.y];
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
