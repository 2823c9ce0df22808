/** Two runs side by side, aligned at the first difference. */

import { useEffect, useMemo, useState } from "preact/hooks";
import type { EventRow } from "./events";
import { runAddress } from "./link";
import { useView } from "./run_page";
import { showAction } from "./state";
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

export function ComparePage({ views, home }: { views: readonly [RunView, RunView]; home: boolean }) {
  const [left, right] = views;
  useView(left);
  useView(right);
  const ready = left.loaded && right.loaded;
  const shared = useMemo(
    () => (ready ? common(left.timeline.rows, right.timeline.rows) : 0),
    [ready, left.timeline.length, right.timeline.length],
  );
  const [offset, setOffset] = useState(1);
  const longest = Math.max(left.timeline.length, right.timeline.length) - shared;
  const whole = ready && shared === left.timeline.length && shared === right.timeline.length;
  useEffect(() => {
    if (!ready) return;
    for (const view of views) {
      view.follows = false;
      view.count = Math.max(0, Math.min(view.timeline.length, shared + offset));
      view.changed();
    }
  }, [ready, shared, offset]);
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
        {ready && !whole && (
          <>
            <span>
              The first {shared} events are the same; the runs diverge at {Math.min(left.timeline.timeAt(shared + 1), right.timeline.timeAt(shared + 1)).toFixed(1)} s.
            </span>
            <button type="button" onClick={() => setOffset(1)}>
              First difference
            </button>
            <label class="slide">
              <span class="hidden">Events after the first difference</span>
              <input
                type="range"
                min={-shared}
                max={longest}
                value={offset}
                onInput={(event) => setOffset(Number(event.currentTarget.value))}
              />
            </label>
            <span>
              {offset > 0 ? `${offset} after` : offset < 0 ? `${-offset} before` : "at"} the first difference
            </span>
          </>
        )}
        {views.map((view) => view.trouble !== "" && <p class="trouble">{view.trouble}</p>)}
      </header>
      <main>
        {views.map((view, index) => (
          <section key={view.id + index} class="side" aria-label={view.id}>
            <h2>
              <a href={runAddress(view.id, view.timeline.timeAt(view.count))}>{view.info?.instruction || view.id}</a>
              <span class="faint">
                {" "}
                {view.timeline.timeAt(view.count).toFixed(1)} s · event {view.count} of {view.timeline.length}
              </span>
            </h2>
            <p class="event">{ready ? sentence(view, shared) : ""}</p>
            <TreePanel view={view} />
            <div class="panel half">
              <WorldPanel view={view} />
            </div>
            <ol class="steps">
              {view.state.plan.map((id) => {
                const action = view.state.actions.get(id)!;
                return (
                  <li key={id}>
                    <span class={`badge ${action.status}`}>{action.status}</span> {showAction(action)}
                  </li>
                );
              })}
            </ol>
          </section>
        ))}
      </main>
    </div>
  );
}

/** What the run says at the first difference: its next sentence there. */
function sentence(view: RunView, shared: number): string {
  const row = view.timeline.rows[shared];
  if (row === undefined) return "This run had ended there.";
  const line = view.lines.find((each: Line) => each[0] >= row[0]);
  return line === undefined ? row[3] : `${row[3]}: ${line[2]}`;
}
