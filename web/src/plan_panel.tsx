/** The plan: which parts of the goal hold, what is to be done when and with what, and what it came to. */

import { useState } from "preact/hooks";
import { items, phrase, showAtom, text } from "./events";
import { Action, RunState, showAction } from "./state";
import { holds, partsOf, showFormula } from "./formula";
import type { RunView } from "./view";

export function PlanPanel({ view }: { view: RunView }) {
  const [pddl, setPddl] = useState(false);
  const { state } = view;
  if (state.goal === "" && state.plan.length === 0) {
    const unanswered = state.ended !== null && view.timeline.of("person.asked").length > 0;
    if (unanswered) return <p class="empty">No goal: the question was never answered.</p>;
    return <p class="empty">{state.ended === null ? "No goal yet." : "The run ended without a goal."}</p>;
  }
  return (
    <div class="plan">
      <Goal state={state} />
      <p class="figures">
        <PlanHead view={view} />
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

/** What is known of the plan in force: which of the run's it is, when it was made, by what, and how good it is. */
function PlanHead({ view }: { view: RunView }) {
  const planned = view.state.planned ?? {};
  const search = planned.search ?? {};
  const plans = view.timeline.of("plan.made", view.state.seq);
  const all = view.timeline.of("plan.made").length;
  const made = plans[plans.length - 1];
  if (made === undefined) return null;
  return (
    <>
      <b title={`At this moment, ${plans.length} ${plans.length === 1 ? "plan has" : "plans have"} been made; in the whole run, ${all}.`}>
        {all === 1 ? "The plan" : `Plan ${plans.length} of ${all}`}, made at {made[2].toFixed(1)} s
        {planned.by && ` by ${text(planned.by)}`}:
      </b>
      <span>
        {items(planned.actions).length} {items(planned.actions).length === 1 ? "action" : "actions"}
      </span>
      {typeof planned.cost === "number" && <span>cost {planned.cost}</span>}
      {typeof planned.makespan === "number" && planned.makespan !== planned.cost && (
        <span title="The cost of the longest chain of actions that have to wait for each other">
          longest chain {planned.makespan}
        </span>
      )}
      {planned.optimal === true && <span>optimal</span>}
      {typeof search.seconds === "number" && <span>searched {search.seconds.toFixed(2)} s</span>}
    </>
  );
}

function Goal({ state }: { state: RunState }) {
  if (state.goal === "") return null;
  const parts = partsOf(state.goal);
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
  /** When it began and when it ended, or now; null for one that is only planned. */
  readonly actual: readonly [number, number] | null;
}

interface Lane {
  readonly name: string;
  readonly bars: Bar[];
}

/** Rows of the chart, for each robot its own, in the order in which its actions began and are going to. */
function lanesOf(state: RunState, now: number): Lane[] {
  const robots = text(state.started.robot).split(", ");
  const lanes = new Map<string, Lane>();
  const rank = (id: string): number => state.actions.get(id)!.ordinal ?? state.actions.size + state.plan.indexOf(id);
  for (const id of [...state.actions.keys()].sort((a, b) => rank(a) - rank(b))) {
    const action = state.actions.get(id)!;
    if (action.status === "dropped" || (action.status === "skipped" && action.started === null)) continue;
    const name = action.arguments.find((each) => robots.includes(each)) ?? robots[0] ?? "";
    const lane = lanes.get(name) ?? { name, bars: [] };
    lane.bars.push({ action, actual: action.started === null ? null : [action.started, action.ended ?? now] });
    lanes.set(name, lane);
  }
  return [...lanes.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Actions with what they were planned to cost and when they were done. Costs need not be seconds: each has its column. */
function Gantt({ view }: { view: RunView }) {
  const { state } = view;
  const lanes = lanesOf(state, view.time);
  if (lanes.length === 0) return <p class="empty">No plan yet.</p>;
  const last = Math.max(1, view.timeline.end);
  const dearest = Math.max(1, ...lanes.flatMap((lane) => lane.bars.map((bar) => bar.action.cost)));
  const x = (time: number): number => (time / last) * 100;
  return (
    <section>
      <h3>{view.timeline.of("plan.made", state.seq).length > 1 ? "Actions, of this plan and of those before" : "Actions"}</h3>
      <div class="gantt">
        <div class="row scale" aria-hidden="true">
          <span />
          <span>cost</span>
          <span>
            0 s<span>{last.toFixed(1)} s</span>
          </span>
        </div>
        {lanes.map((lane) => (
          <div key={lane.name}>
            {lanes.length > 1 && <div class="lane">{lane.name}</div>}
            {lane.bars.map((bar) => (
              <Row key={bar.action.id} view={view} bar={bar} dearest={dearest} x={x} />
            ))}
          </div>
        ))}
        <div class="now">
          <i style={{ left: `${x(Math.min(last, view.time))}%` }} />
        </div>
      </div>
      <p class="legend">
        <span>
          <i class="swatch planned" /> cost, as planned
        </span>
        {["done", "running", "failed", "cancelled"].map((kind) => (
          <span key={kind}>
            <i class={`swatch actual ${kind}`} /> {kind}
          </span>
        ))}
        <span>A cost is what the planner minimises; it says nothing of seconds.</span>
      </p>
    </section>
  );
}

function Row({ view, bar, dearest, x }: { view: RunView; bar: Bar; dearest: number; x: (time: number) => number }) {
  const { action, actual } = bar;
  const chosen = view.selected?.kind === "action" && view.selected.id === action.id;
  return (
    <button
      type="button"
      class={chosen ? "row chosen" : "row"}
      onClick={() => view.gotoAction(action.id)}
      title={`${showAction(action)}: ${action.status}, cost ${action.cost}`}
    >
      <span class="label">{view.nameOf(action.id)}</span>
      <span class="cost">
        <span>{action.cost}</span>
        <i class="planned" style={{ width: `${(action.cost / dearest) * 58}%` }} />
      </span>
      <span class="bars">
        {actual === null && action.status === "intended" && (
          <i class="actual running" style={{ left: `${x(view.time)}%`, width: "3px" }} />
        )}
        {actual !== null && (
          <i
            class={`actual ${action.status}`}
            style={{ left: `${x(actual[0])}%`, width: `max(3px, ${x(actual[1] - actual[0])}%)` }}
          />
        )}
      </span>
    </button>
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
