/** Things on the map, their names, and what is said of one under the pointer. */

import type { ComponentChildren } from "preact";
import type { RunState } from "./state";
import { LINE, Label } from "./world_labels";
import type { Spot } from "./world_spots";

/** Whether something stands open; null for what cannot be opened. */
export type Openness = "open" | "shut" | "unknown";

export function opennessOf(state: RunState, { entity, kind }: Spot): Openness | null {
  if (kind === "robot" || kind === "person") return null;
  const truth = (predicate: string): string | undefined => state.facts.get(`${predicate} ${entity.name}`)?.truth;
  const closed = truth("closed");
  if (kind !== "door" && closed === undefined && truth("openable") !== "true") return null;
  const open = truth("open") ?? (closed === "true" ? "false" : closed === "false" ? "true" : "unknown");
  return open === "true" ? "open" : open === "false" ? "shut" : "unknown";
}

/** What is said of a thing: name, what it was taken for, state, and what is in it or in its hands. */
export function describe(
  { entity, holder, hand, kind }: Spot,
  openness: Openness | null,
  contents: readonly string[],
  hands: readonly string[],
): string {
  if (kind === "spot") return `${entity.name}, a place on the floor`;
  // Names that count up begin with the class for which a thing was taken at first.
  const isGuess = /\d$/.test(entity.name) && entity.name.replace(/\d+$/, "") !== entity.class && kind !== "robot";
  const parts = [`${entity.name}, ${isGuess ? "seen as " : ""}${entity.class}`, ...hands];
  if (openness !== null) parts.push(openness === "unknown" ? "not known whether open" : openness);
  if (contents.length > 0) parts.push(`in it: ${contents.join(", ")}`);
  if (holder !== "") parts.push(`in the ${hand} of ${holder}`);
  return parts.join("; ");
}

/** What is in the hands of a robot, and which of them are free; nothing of what is no robot. */
export function handsOf(state: RunState, { entity, kind }: Spot, holds: readonly Spot[]): string[] {
  if (kind !== "robot") return [];
  const full = holds.map((spot) => `${spot.hand}: ${spot.entity.name}`);
  const free = [...state.facts.values()].filter(
    ({ atom, truth }) => atom[0] === "hand_free" && atom[1] === entity.name && truth === "true",
  );
  return [...full, ...free.map(({ atom }) => `${atom[2]!.replace(`${entity.name}_`, "")} free`)];
}

interface Pointed {
  readonly onChoose: () => void;
  /** Called when the pointer or the focus comes to the thing (true), and when it leaves it. */
  readonly onPoint: (on: boolean) => void;
}

export function Thing(
  props: Pointed & {
    readonly spot: Spot;
    readonly x: number;
    readonly y: number;
    readonly half: number;
    readonly chosen: boolean;
    readonly words: string;
    readonly openness: Openness | null;
    readonly children?: ComponentChildren;
  },
) {
  const { spot, x, y, half, chosen, words, openness, onChoose, onPoint, children } = props;
  const { kind } = spot;
  return (
    <g
      class={`thing ${kind}${chosen ? " chosen" : ""}${spot.fresh ? " fresh" : ""}`}
      transform={`translate(${x} ${y})`}
      tabindex={0}
      role="button"
      aria-label={words}
      onClick={onChoose}
      onKeyDown={(event) => (event.key === "Enter" || event.key === " ") && onChoose()}
      onPointerEnter={() => onPoint(true)}
      onPointerLeave={() => onPoint(false)}
      onFocus={() => onPoint(true)}
      onBlur={() => onPoint(false)}
    >
      {children}
      {kind === "furniture" ? (
        <Furniture half={half} openness={openness} />
      ) : kind === "robot" ? (
        <circle r={15} />
      ) : kind === "person" ? (
        <path d="M0,-3 a7,7 0 1,1 0.1,0 z M-12,16 a12,16 0 0,1 24,0 z" />
      ) : kind === "item" ? (
        <circle class={spot.holder === "" ? "dot" : "dot held"} />
      ) : kind === "spot" ? (
        <path class="cross" d="M-5,0 H5 M0,-5 V5" />
      ) : null}
    </g>
  );
}

/** A piece of furniture; what can be opened has a front, which is closed, or swung out where it is open. */
function Furniture({ half, openness }: { half: number; openness: Openness | null }) {
  const deep = half * 0.3;
  return (
    <>
      <rect x={-half} y={-half} width={2 * half} height={2 * half} rx={4} />
      {openness === "open" && (
        <>
          <path class="inside" d={`M${3 - half},${deep - half} H${half - 3} V${half} H${3 - half} Z`} />
          <path class="front open" d={`M${-half},${half} l${-half * 0.45},${half * 0.7}`} />
        </>
      )}
      {openness !== null && openness !== "open" && (
        <path class={`front ${openness}`} d={`M${-half},${half - deep} H${half} M${-half * 0.25},${half - deep / 2} h${half * 0.5}`} />
      )}
    </>
  );
}

/** The name of a thing, above all that is drawn: no other thing hides it. */
export function Name(
  props: Pointed & {
    readonly spot: Spot;
    readonly label: Label;
    readonly unit: number;
    readonly chosen: boolean;
  },
) {
  const { spot, label, unit, chosen, onChoose, onPoint } = props;
  return (
    <text
      class={`name ${spot.kind}${chosen ? " chosen" : ""}${spot.fresh ? " fresh" : ""}`}
      text-anchor={label.anchor}
      x={label.x}
      onClick={onChoose}
      onPointerEnter={() => onPoint(true)}
      onPointerLeave={() => onPoint(false)}
    >
      {label.lines.map((line, index) => (
        <tspan key={index} x={label.x} y={label.y + index * LINE * unit}>
          {line}
        </tspan>
      ))}
    </text>
  );
}

/** What is said of the thing under the pointer, beside the pointer. */
export function Card({ words, at }: { words: string; at: { readonly x: number; readonly y: number; readonly left: boolean } }) {
  const [head, ...rest] = words.split("; ");
  return (
    <div class="hint" role="tooltip" style={{ top: `${at.y}px`, [at.left ? "right" : "left"]: `${at.x}px` }}>
      <b>{head}</b>
      {rest.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  );
}
