/** What an action is done for: what needs it next, and what that leads to, up to the goal, as it was planned. */

import { text } from "./events";
import { partsOf } from "./formula";
import type { RunState } from "./state";
import { holdsAction, lastPlanOf } from "./story";
import type { RunView } from "./view";
import { sayAtom } from "./words";

/** A fact, and what needs it: an action by its id, or the goal. */
type Need = readonly [fact: readonly string[], consumer: string];

/** How many events lead to the moment whose plan an action is done for: its start or, without one, its last plan. */
export function momentOfReasons(view: RunView, id: string): number {
  const start = view.timeline.startOf(id);
  if (start !== null) return start;
  const plan = lastPlanOf(view, id);
  return plan === undefined ? view.timeline.length : view.timeline.countOf(plan[0]);
}

/** What an action is done for, a sentence each, according to *state*: that at the moment of its reasons. */
export function reasonsFor(view: RunView, state: RunState, id: string): string[] {
  const aim = aimOf(view, state, id);
  const lines = new Set<string>();
  const told = new Set<string>();
  for (const way of waysToGoal(state, id)) {
    way.forEach(([fact, consumer], step) => {
      const what = sayAtom(fact);
      told.add(consumer);
      if (consumer === "goal") lines.add(`${step > 0 ? "… so that" : "So that"} ${what}: ${aim}.`);
      else if (step === 0) lines.add(`${view.nameOf(consumer)} needs: ${what}.`);
      else lines.add(`… so that ${what}, which ${view.nameOf(consumer)} needs.`);
    });
  }
  for (const [producer, fact, consumer] of state.links) {
    if (producer !== id || told.has(consumer) || !isAhead(state, consumer)) continue;
    lines.add(`${view.nameOf(consumer)} needs${lines.size > 0 ? " it, too" : ""}: ${sayAtom(fact)}.`);
  }
  if (lines.size > 0) return [...lines];
  for (const [later, before] of state.order) {
    if (before.includes(id) && state.actions.has(later)) lines.add(`${view.nameOf(later)} waits for it.`);
  }
  return lines.size > 0 ? [...lines] : [`It serves the goal ${state.goal}.`];
}

/** What the plan of an action is for: the goal, or a tool that looks for something first. */
function aimOf(view: RunView, state: RunState, id: string): string {
  const goal = partsOf(state.goal).length > 1 ? "a part of the goal" : "the goal";
  const made = view.timeline.of("plan.made", state.seq).findLast((row) => holdsAction(row[4].actions, id));
  if (made === undefined || made[4].goal === undefined || made[4].goal === state.goal) return goal;
  const chosen = view.timeline.of("agent.chose", made[0]).at(-1);
  return chosen === undefined || chosen[4].tool === "plan" ? goal : `the agent ${text(chosen[4].why)}`;
}

/** For each part of the goal that an action leads to, the shortest way there. */
function waysToGoal(state: RunState, id: string): readonly Need[][] {
  const needs = new Map<string, Need[]>();
  for (const [producer, fact, consumer] of state.links) {
    if (!isAhead(state, consumer)) continue;
    const known = needs.get(producer);
    if (known === undefined) needs.set(producer, [[fact, consumer]]);
    else known.push([fact, consumer]);
  }
  const ways = new Map<string, readonly Need[]>([[id, []]]);
  const whole = new Map<string, Need[]>();
  for (const [from, way] of ways) { // what is added on the way is visited as well
    for (const need of needs.get(from) ?? []) {
      const [fact, consumer] = need;
      if (consumer !== "goal") ways.set(consumer, ways.get(consumer) ?? [...way, need]);
      else if (!whole.has(fact.join(" "))) whole.set(fact.join(" "), [...way, need]);
    }
  }
  return [...whole.values()];
}

function isAhead(state: RunState, consumer: string): boolean {
  return consumer === "goal" || state.actions.get(consumer)?.status !== "dropped";
}
