/** The plan: which parts of the goal hold, what is to be done when and with what, and what it came to. */

import { useState } from "preact/hooks";
import { items, phrase, showAtom, text } from "./events";
import { Action, RunState, showAction } from "./state";
import { holds, readFormula, showFormula } from "./formula";
import type { RunView } from "./view";

export function PlanPanel({ view }: { view: RunView }) {
  const [pddl, setPddl] = useState(false);
  const { state } = view;
  if (state.goal === "" && state.plan.length === 0) {
    const unanswered = state.ended !== null && view.timeline.of("person.asked").length > 0;
    if (unanswered) return <p class="empty">No goal: the question was never answered.</p>;
    return <p class="empty">{state.ended === null ? "No goal yet." : "The run ended without a goal."}</p>;
  }
  const planned = state.planned ?? {};
  const search = planned.search ?? {};
  return (
    <div class="plan">
      <Goal state={state} />
      <p class="figures">
        {planned.by && <span>planned by {text(planned.by)}</span>}
        {typeof planned.cost === "number" && <span>cost {planned.cost}</span>}
        {typeof planned.makespan === "number" && <span>makespan {planned.makespan}</span>}
        {planned.optimal === true && <span>optimal</span>}
        {typeof search.seconds === "number" && <span>searched {search.seconds.toFixed(2)} s</span>}
        <button type="button" onClick={() => setPddl(!pddl)} aria-expanded={pddl}>
          {pddl ? "Hide PDDL" : "Show PDDL"}
        </button>
      </p>
      {pddl && <pre class="pddl">{asPddl(state)}</pre>}
      <Gantt view={view} />
      <Assumptions state={state} />
    </div>
  );
}

function Goal({ state }: { state: RunState }) {
  if (state.goal === "") return null;
  const formula = readFormula(state.goal);
  const parts = formula?.[0] === "and" ? formula.slice(1) : formula === null ? [] : [formula];
  return (
    <section>
      <h3>Goal</h3>
      {state.how && <p class="faint">{state.how}</p>}
      <ul class="goal">
        {parts.map((part, index) => {
          const truth = holds(part, state.facts);
          const [kind, sign, words] =
            truth === true
              ? ["true", "✓", "holds"]
              : truth === null
                ? ["unknown", "?", "not known"]
                : state.ended === null
                  ? ["open", "○", "not yet"]
                  : ["false", "✕", "does not hold"];
          return (
            <li key={index} class={kind}>
              <span title={words} aria-label={words}>
                {sign}
              </span>{" "}
              <code>{showFormula(part)}</code>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface Bar {
  readonly action: Action;
  readonly planned: readonly [number, number] | null;
  readonly actual: readonly [number, number] | null;
}

interface Lane {
  readonly name: string;
  readonly bars: Bar[];
}

/** Seconds that a unit of cost has taken so far: costs need not be seconds. */
function secondsPerCost(state: RunState): number {
  let [seconds, cost] = [0, 0];
  for (const action of state.actions.values()) {
    if (action.status !== "done" || action.started === null || action.ended === null) continue;
    seconds += action.ended - action.started;
    cost += action.cost;
  }
  return seconds > 0 && cost > 0 ? seconds / cost : 1;
}

/** Rows of the chart, for each robot its own, in the order in which its actions began and are going to. */
function lanesOf(state: RunState, now: number): Lane[] {
  const scale = secondsPerCost(state);
  const robots = text(state.started.robot).split(", ");
  const lanes = new Map<string, Lane>();
  const ends = new Map<string, number>();
  const rank = (id: string): number => state.actions.get(id)!.ordinal ?? state.actions.size + state.plan.indexOf(id);
  for (const id of [...state.actions.keys()].sort((a, b) => rank(a) - rank(b))) {
    const action = state.actions.get(id)!;
    if (action.status === "dropped" || (action.status === "skipped" && action.started === null)) continue;
    const name = action.arguments.find((each) => robots.includes(each)) ?? robots[0] ?? "";
    const before = (state.order.get(id) ?? []).map((each) => ends.get(each) ?? 0);
    const begins = action.started ?? Math.max(now, 0, ...before);
    const actual = action.started === null ? null : ([action.started, action.ended ?? now] as const);
    const planned = [begins, begins + action.cost * scale] as const;
    ends.set(id, action.ended ?? planned[1]);
    const lane = lanes.get(name) ?? { name, bars: [] };
    lane.bars.push({ action, planned: action.ended === null ? planned : null, actual });
    lanes.set(name, lane);
  }
  return [...lanes.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function Gantt({ view }: { view: RunView }) {
  const { state } = view;
  const lanes = lanesOf(state, view.time);
  if (lanes.length === 0) return <p class="empty">No plan yet.</p>;
  const last = Math.max(1, ...lanes.flatMap((lane) => lane.bars.map((bar) => Math.max(bar.planned?.[1] ?? 0, bar.actual?.[1] ?? 0))));
  const x = (time: number): number => (time / last) * 100;
  return (
    <section>
      <h3>Actions</h3>
      <div class="gantt">
        {lanes.map((lane) => (
          <div key={lane.name}>
            {lanes.length > 1 && <div class="lane">{lane.name}</div>}
            {lane.bars.map((bar) => (
              <button
                type="button"
                key={bar.action.id}
                class={view.selected?.kind === "action" && view.selected.id === bar.action.id ? "row chosen" : "row"}
                onClick={() => view.select({ kind: "action", id: bar.action.id })}
                title={`${showAction(bar.action)}: ${bar.action.status}`}
              >
                <span class="label">
                  {bar.action.ordinal === null ? "" : `${bar.action.ordinal}. `}
                  {showAction(bar.action)}
                </span>
                <span class="bars">
                  {bar.planned !== null && (
                    <i class="planned" style={{ left: `${x(bar.planned[0])}%`, width: `${x(bar.planned[1] - bar.planned[0])}%` }} />
                  )}
                  {bar.actual === null && bar.action.status === "intended" && (
                    <i class="actual running" style={{ left: `${x(view.time)}%`, width: "3px" }} />
                  )}
                  {bar.actual !== null && (
                    <i
                      class={`actual ${bar.action.status}`}
                      style={{ left: `${x(bar.actual[0])}%`, width: `max(3px, ${x(bar.actual[1] - bar.actual[0])}%)` }}
                    />
                  )}
                </span>
              </button>
            ))}
          </div>
        ))}
        <div class="now">
          <i style={{ left: `${x(Math.min(last, view.time))}%` }} />
        </div>
      </div>
      <p class="legend">
        {["planned", "actual done", "actual running", "actual failed", "actual cancelled"].map((kind) => (
          <span key={kind}>
            <i class={`swatch ${kind}`} /> {kind === "planned" ? "planned, by cost" : kind.split(" ")[1]}
          </span>
        ))}
        <span title="Planned actions have costs; how long one takes is judged by those that are done">all of it: about {last.toFixed(0)} s</span>
      </p>
    </section>
  );
}

function Assumptions({ state }: { state: RunState }) {
  const assumed = items(state.planned?.assumptions);
  if (assumed.length === 0) return null;
  return (
    <section>
      <h3>Assumptions</h3>
      <ul>
        {assumed.map((each, index) => (
          <li key={index}>
            {each.value === false ? "not " : ""}
            <code>{showAtom(each.atom)}</code> {phrase(each.source)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The problem as PDDL: what is believed true, and the goal. */
function asPddl(state: RunState): string {
  const facts = [...state.facts.values()].filter((fact) => fact.truth === "true" && fact.atom[0] !== "class");
  const objects = [...state.entities.values()].map((entity) => `    ${entity.name} - ${entity.class}`);
  const steps = state.plan.map((id) => state.actions.get(id)!).map((a) => `; (${[a.skill, ...a.arguments].join(" ")})  ${a.status}`);
  return [
    "(define (problem moment)",
    "  (:objects",
    ...objects,
    "  )",
    "  (:init",
    ...facts.map((fact) => `    ${showAtom(fact.atom)}`),
    "  )",
    `  (:goal ${state.goal})`,
    ")",
    "; plan",
    ...steps,
  ].join("\n");
}
