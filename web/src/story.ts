/** What became of a plan, in sentences: why an action is in it, and why one was given up. */

import { EventRow, Json, items, text } from "./events";
import type { RunView } from "./view";

/** The reason for a revision without the list of what it changes, which is shown beside it. */
export function reasonOf(revision: Json): string {
  return withoutList(text(revision.why)) || text(revision.why);
}

/** A reason as foretree/revision/revision.py words it, without the actions that it lists at its end. */
export function withoutList(why: string): string {
  return why.replace(/(^|\s)(Instead of|First|Skip) \w+\(.*$/s, "");
}

/** Words with a full stop at their end, if they have none. */
export function sentence(words: string): string {
  return /[.!?…]["”)]?$/.test(words) ? words : `${words}.`;
}

/** What an action is taken out or put in by; null if a plan from the start had it. */
export function revisionThat(view: RunView, change: "added" | "removed", id: string): EventRow | undefined {
  return view.timeline
    .of("revision.made")
    .find((row) => items(row[4][change]).some((each) => (change === "added" ? each.id : each) === id));
}

/** How an action came into the plan. */
export function originOf(view: RunView, id: string): string {
  const made = view.timeline.of("plan.made").find((row) => holdsAction(row[4].actions, id));
  const revised = revisionThat(view, "added", id);
  if (revised !== undefined && (made === undefined || revised[0] < made[0])) {
    return `Added at ${revised[2].toFixed(1)} s by the ${text(revised[4].reviser)} reviser.`;
  }
  return made === undefined
    ? "No plan in this record names it."
    : `Planned at ${made[2].toFixed(1)} s by ${text(made[4].by) || "the planner"}.`;
}

/** The plan that an action was in last. */
export function lastPlanOf(view: RunView, id: string): EventRow | undefined {
  return view.timeline.of("plan.made").findLast((row) => holdsAction(row[4].actions, id));
}

export function holdsAction(actions: readonly { id: string }[] | undefined, id: string): boolean {
  return (actions ?? []).some((action) => action.id === id);
}

/** Why an action was cancelled, and what was planned in its place: sentences; none if it was not, or a revision tells. */
export function whyCancelled(view: RunView, id: string): string[] {
  const { timeline } = view;
  const ended = timeline.of("action.ended").find((row) => row[4].action === id && row[4].outcome === "cancelled");
  if (ended === undefined || revisionThat(view, "removed", id) !== undefined) return [];
  const told: string[] = [];
  const [goal, chosen, plan] = ["goal.set", "agent.chose", "plan.made"].map((kind) => timeline.next(kind, ended[0]));
  const before = (row: EventRow | undefined): row is EventRow => row !== undefined && row[0] <= (plan?.[0] ?? Infinity);
  if (before(goal)) told.push(`At ${goal[2].toFixed(1)} s there was a new goal: ${text(goal[4].how) || text(goal[4].goal)}.`);
  if (before(chosen)) told.push(`At ${chosen[2].toFixed(1)} s the agent chose anew: it ${text(chosen[4].why)}.`);
  if (plan === undefined) return [...told, "No other plan was made after it."];
  const instead = items(plan[4].actions).map((action) => view.nameOf(action.id));
  const by = text(plan[4].by) || "the planner";
  return [...told, `The plan that ${by} made next, at ${plan[2].toFixed(1)} s: ${instead.join(", ") || "nothing is left to do"}.`];
}
