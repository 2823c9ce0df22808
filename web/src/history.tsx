/** The actions carried out so far, numbered, in a row above everything; and which moment the panels show. */

import { useEffect, useMemo, useRef } from "preact/hooks";
import { Action, RunState, shortAction, showAction } from "./state";
import type { RunView } from "./view";

/** Signs of what became of an action, beside their colours. */
const SIGNS: Record<string, string> = {
  intended: "▶",
  running: "▶",
  done: "✓",
  failed: "✕",
  lost: "✕",
  cancelled: "⊘",
  skipped: "↷",
};

/** The most actions in the row: of a long run, those around the moment. */
const MOST = 40;

/** With more actions than this, their words are cut, so that more of them are in sight. */
const CROWD = 8;

/** Every action that the run has begun, as it stands at the moment on screen; those still to come are grey. */
export function History({ view }: { view: RunView }) {
  const { state, timeline } = view;
  const { head } = timeline;
  const here = useRef<HTMLButtonElement>(null);
  const begun = useMemo(
    () =>
      [...head.actions.values()].filter((action) => action.ordinal !== null).sort((a, b) => a.ordinal! - b.ordinal!),
    [timeline.length],
  );
  const past = begun.filter((action) => (state.actions.get(action.id)?.ordinal ?? null) !== null).length;
  useEffect(() => bringIntoRow(here.current), [past]);
  if (begun.length === 0) return null;
  const first = Math.max(0, Math.min(past - MOST / 2, begun.length - MOST));
  const last = Math.min(begun.length, first + MOST);
  const shown = begun.slice(first, last);
  // One stop for the Tab key; arrows go on from there.
  const chosen = shown.find((action) => isChosen(view, action.id)) ?? begun[Math.max(past, 1) - 1]!;
  const jump = (action: Action, words: string) => (
    <button type="button" class="link" tabIndex={-1} onClick={() => view.gotoAction(action.id)}>
      {words}
    </button>
  );
  return (
    <nav class={begun.length > CROWD ? "carried many" : "carried"} aria-label="Actions carried out" onKeyDown={walk}>
      <span class="faint" title="In the order in which they began. A click shows the world at the start of one.">
        Actions:
      </span>
      {first > 0 && jump(begun[0]!, `… ${first} earlier`)}
      {shown.map((action, index) => (
        <Step
          key={action.id}
          view={view}
          action={state.actions.get(action.id) ?? action}
          ahead={first + index >= past}
          stop={action === chosen}
          place={first + index === past - 1 ? here : null}
        />
      ))}
      {last < begun.length && jump(begun[begun.length - 1]!, `${begun.length - last} later …`)}
    </nav>
  );
}

/** Scroll the row so that a step is in sight. (`scrollIntoView` would have the Tab key go on from there.) */
function bringIntoRow(step: HTMLElement | null): void {
  const row = step?.parentElement;
  if (!step || !row) return;
  const [one, other] = [step.getBoundingClientRect(), row.getBoundingClientRect()];
  if (one.top < other.top || one.bottom > other.bottom) row.scrollTop += one.top - other.top - 5;
}

/** Left and right lead from one action of the row to the next, and do not step through the run. */
function walk(event: KeyboardEvent): void {
  if (event.shiftKey || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
  const steps = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>(".step")];
  const at = steps.indexOf(event.target as HTMLElement);
  if (at === -1) return;
  steps[at + (event.key === "ArrowLeft" ? -1 : 1)]?.focus();
  event.preventDefault();
  event.stopPropagation();
}

function isChosen(view: RunView, id: string): boolean {
  return view.selected?.kind === "action" && view.selected.id === id;
}

interface StepProps {
  readonly view: RunView;
  readonly action: Action;
  /** Whether it begins only after the moment on screen. */
  readonly ahead: boolean;
  /** Whether the Tab key stops at it. */
  readonly stop: boolean;
  readonly place: { current: HTMLButtonElement | null } | null;
}

function Step({ view, action, ahead, stop, place }: StepProps) {
  const number = view.numberOf(action.id);
  const status = ahead ? "still to come" : action.status;
  const chosen = isChosen(view, action.id);
  return (
    <button
      type="button"
      ref={place}
      tabIndex={stop ? 0 : -1}
      class={`step ${ahead ? "ahead" : action.status}${chosen ? " chosen" : ""}`}
      aria-label={`Action ${number}, ${status}: ${showAction(action)}`}
      aria-current={chosen ? "step" : undefined}
      title={`${number}. ${showAction(action)}: ${status}`}
      onClick={() => view.gotoAction(action.id)}
    >
      <b>{number}</b> {!ahead && <i aria-hidden="true">{SIGNS[action.status] ?? ""}</i>} {shortAction(view.timeline.head, action)}
    </button>
  );
}

/** Which moment the tree, the details and the panels show, in a line, and the way back from the start of an action. */
export function MomentLine({ view }: { view: RunView }) {
  const { wayBack, timeline, follows } = view;
  if (timeline.length === 0) return null;
  const newest = view.count >= timeline.length;
  const words = momentWords(view);
  return (
    <p class={newest ? "moment" : "moment earlier"} role="status" aria-label="Moment shown">
      <span title={words}>
        {follows && view.live ? "Now" : "At"} <b>{view.time.toFixed(1)} s</b>, {words}
      </span>
      {wayBack !== null && (
        <button
          type="button"
          onClick={() => view.goBack()}
          aria-label={`Back to ${wayBack}`}
          title={`Back to ${wayBack}, where you were (Backspace)`}
        >
          ← Back
        </button>
      )}
    </p>
  );
}

/** What the moment on screen is, in terms of the actions: the start of one, its end, or the time in between. */
function momentWords(view: RunView): string {
  const { state, timeline, count } = view;
  if (count >= timeline.length && timeline.head.ended !== null) return "the end of the run";
  const from = timeline.before(count);
  const settled = view.tick === timeline.rows[count - 1]?.[1];
  const happened = settled ? timeline.rows.slice(from, count) : [];
  const starts = happened.filter((row) => row[3] === "action.intent").map((row) => view.nameOf(row[4].action?.id));
  if (starts.length > 0) return `the start of ${named(starts)}`;
  const ends = happened.filter((row) => row[3] === "action.ended").map((row) => view.nameOf(row[4].action));
  if (ends.length > 0) return `the end of ${named(ends)}`;
  const running = underWay(state).map((action) => view.nameOf(action.id));
  if (running.length > 0) return `during ${named(running)}`;
  const last = [...state.actions.values()].filter((action) => action.ordinal !== null).length;
  return last === 0 ? "before the first action" : `after action ${last}`;
}

function named(actions: readonly string[]): string {
  return actions.length > 2 ? `${actions[0]} and ${actions.length - 1} more` : actions.join(" and ");
}

function underWay(state: RunState): Action[] {
  return [...state.actions.values()].filter((action) => action.status === "running" || action.status === "intended");
}
