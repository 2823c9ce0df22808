/** Two runs side by side, aligned at the first difference. */

import { useEffect, useMemo, useState } from "preact/hooks";
import { EventRow, text } from "./events";
import { runAddress } from "./link";
import { useView } from "./run_page";
import { RunState, showAction } from "./state";
import { TreePanel } from "./tree_panel";
import type { Line, RunView } from "./view";
import { WorldPanel } from "./world_panel";

/** The data of an event less what depends on the wall clock. */
function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "wall")
      .map(([key, each]) => [key, without(each)]),
  );
}

function same(one: EventRow | undefined, other: EventRow | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one[1] === other[1] &&
    one[2] === other[2] &&
    one[3] === other[3] &&
    JSON.stringify(without(one[4])) === JSON.stringify(without(other[4]))
  );
}

/** How many events the two runs have in common at their start; the header of the runs is not compared. */
export function common(one: readonly EventRow[], other: readonly EventRow[]): number {
  let count = one[0]?.[3] === "run.started" && other[0]?.[3] === "run.started" ? 1 : 0;
  while (count < Math.min(one.length, other.length) && same(one[count], other[count])) count++;
  return count;
}

/** The events at which the actions of a run began, each action once. */
function beginnings(view: RunView): readonly EventRow[] {
  const begun = new Set<string>();
  return view.timeline.of("action.intent").filter((row) => !begun.has(text(row[4].action?.id)) && begun.add(text(row[4].action?.id)));
}

/** Where a run stands: before its first action, at one of them, at its end. */
function gotoAction(view: RunView, number: number): void {
  const rows = beginnings(view);
  view.follows = false;
  if (number <= 0) view.gotoStart();
  else if (number > rows.length) view.goto(view.timeline.length);
  else view.gotoEvent(rows[number - 1]![0]);
}

/** What is on screen: the moment of the first difference, or that at which the actions of this number began. */
type Step = "difference" | number;

export function ComparePage({ views, home }: { views: readonly [RunView, RunView]; home: boolean }) {
  const [left, right] = views;
  useView(left);
  useView(right);
  const ready = left.loaded && right.loaded;
  const shared = useMemo(
    () => (ready ? common(left.timeline.rows, right.timeline.rows) : 0),
    [ready, left.timeline.length, right.timeline.length],
  );
  const [step, setStep] = useState<Step>("difference");
  const whole = ready && shared === left.timeline.length && shared === right.timeline.length;
  useEffect(() => {
    if (!ready) return;
    for (const view of views) {
      view.follows = false;
      if (step !== "difference") gotoAction(view, step);
      else view.goto(view.timeline.settled(shared + 1));
    }
  }, [ready, shared, step]);
  useEffect(() => {
    document.title = "Compare · Foretree";
  }, []);
  return (
    <div class="compare">
      <header>
        {home && <a href="#/">Runs</a>}
        <h1>Compare</h1>
        {!ready && <span class="faint">Reading the runs…</span>}
        {whole && <span>The runs are the same.</span>}
        {ready && <Steps views={views} shared={shared} whole={whole} step={step} onStep={setStep} />}
        {views.map((view) => view.trouble !== "" && <p class="trouble">{view.trouble}</p>)}
      </header>
      <main>
        {views.map((view, index) => (
          <Side key={view.id + index} view={view} other={views[1 - index]!} shared={shared} ready={ready} onStep={setStep} />
        ))}
      </main>
    </div>
  );
}

/** Where the runs diverge, and the way from action to action. */
function Steps(props: {
  views: readonly [RunView, RunView];
  shared: number;
  whole: boolean;
  step: Step;
  onStep: (step: Step) => void;
}) {
  const { views, shared, whole, step, onStep } = props;
  const counts = views.map((view) => beginnings(view).length);
  const most = Math.max(...counts);
  const seq = views[0].timeline.rows[shared - 1]?.[0] ?? 0;
  const before = beginnings(views[0]).filter((row) => row[0] <= seq).length;
  const at = step === "difference" ? before : step;
  const words =
    at === 0 ? "before the first action" : at > most ? "the end" : `action ${at} of ${counts[0] === counts[1] ? most : counts.join(" and ")}`;
  return (
    <>
      {!whole && (
        <>
          <span>
            The runs diverge at {Math.min(...views.map((view) => view.timeline.timeAt(shared + 1))).toFixed(1)} s
            {before === 0 ? ", before the first action." : `, after action ${before} began.`}
          </span>
          <button type="button" aria-pressed={step === "difference"} onClick={() => onStep("difference")}>
            First difference
          </button>
        </>
      )}
      <button type="button" aria-label="Action before" disabled={at <= 0} onClick={() => onStep(Math.min(at, most + 1) - 1)}>
        ‹
      </button>
      <label class="slide">
        <span class="hidden">Action</span>
        <input type="range" min={0} max={most + 1} value={at} onInput={(event) => onStep(Number(event.currentTarget.value))} />
      </label>
      <button type="button" aria-label="Next action" disabled={at > most} onClick={() => onStep(at + 1)}>
        ›
      </button>
      <span class="at">{step === "difference" && !whole ? "first difference" : words}</span>
    </>
  );
}

function Side(props: { view: RunView; other: RunView; shared: number; ready: boolean; onStep: (step: Step) => void }) {
  const { view, other, shared, ready, onStep } = props;
  const { state } = view;
  const rows = beginnings(view);
  const theirs = beginnings(other).map((row) => showAction(row[4].action));
  const begun = rows.filter((row) => row[0] <= state.seq).length;
  return (
    <section class="side" aria-label={view.id}>
      <h2>
        <a href={runAddress(view.id, view.time)}>{view.info?.instruction || view.id}</a>
        <span class="faint">
          {view.id} · {view.time.toFixed(1)} s · {begun === 0 ? "before the first action" : `action ${begun} of ${rows.length}`}
        </span>
      </h2>
      <p class="event">{ready ? sentence(view, shared) : ""}</p>
      <ol class="steps">
        {rows.map((row, index) => {
          const action = state.actions.get(text(row[4].action?.id));
          const words = showAction(row[4].action);
          const status = action === undefined || index >= begun ? "planned" : action.status;
          return (
            <li key={row[0]} class={`${index === begun - 1 ? "now" : ""}${theirs[index] === words ? "" : " differs"}`}>
              <button type="button" class="link" onClick={() => onStep(index + 1)}>
                {index + 1}. {words}
              </button>{" "}
              <span class={`badge ${status}`}>{index >= begun ? "ahead" : status}</span>
              {theirs[index] !== words && <span class="faint"> not so in the other run</span>}
            </li>
          );
        })}
      </ol>
      <TreePanel view={view} top={planNode(state)} />
      <div class="panel half">
        <WorldPanel view={view} />
      </div>
    </section>
  );
}

/** The plan that is carried out, or was last: its rows are put side by side. */
function planNode(state: RunState): string | null {
  const plans = state.walk().filter((node) => node.type === "PlanNode" && node.children.length > 0);
  return (plans.find((node) => node.status === "RUNNING") ?? plans.at(-1))?.id ?? state.root;
}

/** What the run says at the first difference: its next sentence there. */
function sentence(view: RunView, shared: number): string {
  const row = view.timeline.rows[shared];
  if (row === undefined) return "This run had ended there.";
  const line = view.lines.find((each: Line) => each[0] >= row[0]);
  return line === undefined ? row[3] : line[2];
}
