/** What the signs on the map mean: those that are there. */

import type { ComponentChildren } from "preact";
import type { RunView } from "./view";
import { Spot, robotsOf, targetOf } from "./world_spots";
import { opennessOf } from "./world_things";

export function WorldLegend({ view, spots, unseen }: { view: RunView; spots: readonly Spot[]; unseen: boolean }) {
  const { state } = view;
  const has = (kind: Spot["kind"]): boolean => spots.some((spot) => spot.kind === kind);
  const seen = new Set(spots.map((spot) => (spot.kind === "furniture" ? opennessOf(state, spot) : null)));
  return (
    <p class="legend">
      {has("item") && (
        <span>
          <i class="spot item" /> thing
        </span>
      )}
      {spots.some((spot) => spot.holder !== "") && (
        <Sample sign={<><circle class="disc" cx={10} cy={9} r={8} /><circle class="held" cx={10} cy={9} r={3.5} /></>}>
          thing in a hand
        </Sample>
      )}
      {has("robot") && (
        <span>
          <i class="spot robot" /> robot, with its way
        </span>
      )}
      {robotsOf(state).some((robot) => targetOf(view, robot) !== null) && (
        <Sample sign={<path class="target" d="M0,9 H20" />}>way ahead</Sample>
      )}
      {has("person") && (
        <span>
          <i class="spot person" /> person
        </span>
      )}
      {seen.has("open") && (
        <Sample sign={<><rect x={6} y={1} width={12} height={11} rx={2} /><path class="front open" d="M6,12 l-4,5" /></>}>open</Sample>
      )}
      {seen.has("shut") && (
        <Sample sign={<><rect x={4} y={3} width={12} height={12} rx={2} /><path class="front" d="M4,11 H16" /></>}>shut</Sample>
      )}
      {seen.has("unknown") && (
        <Sample sign={<><rect x={4} y={3} width={12} height={12} rx={2} /><path class="front unknown" d="M4,11 H16" /></>}>open or shut</Sample>
      )}
      {has("spot") && <Sample sign={<path class="cross" d="M5,9 H15 M10,4 V14" />}>place on the floor</Sample>}
      {has("door") && (
        <Sample sign={<g class="leaf"><path d="M2,9 H18" /></g>}>door</Sample>
      )}
      {unseen && (
        <Sample sign={<g class="unseen"><path transform="translate(10 9)" d="M1,-8 L-5,2 L-1,2 L-2,8 L5,-2 L1,-2 z" /></g>}>
          where it really is
        </Sample>
      )}
      {spots.some((spot) => spot.fresh) && <span class="fresh">changed just now</span>}
      {spots.some((spot) => spot.inside !== "") && <span>(2): so many things are in it</span>}
    </p>
  );
}

function Sample({ sign, children }: { sign: ComponentChildren; children: ComponentChildren }) {
  return (
    <span>
      <svg class="sample" viewBox="0 0 20 18" aria-hidden="true">
        {sign}
      </svg>{" "}
      {children}
    </span>
  );
}
