/** What the bar of time marks: signs, words, and the story of a moment at which several things happened. */

import { phrase, text } from "./events";
import { happened, whenSeen } from "./faults";
import { toldEdits } from "./revisions";
import { reasonOf, sentence } from "./story";
import type { Mark, MarkKind } from "./timeline";
import type { RunView } from "./view";

const SHAPES: Record<MarkKind, string> = {
  action: "M-2,-7 h4 v14 h-4 z",
  discrepancy: "M0,-7 L7,6 L-7,6 z",
  revision: "M0,-8 L6,0 L0,8 L-6,0 z",
  edit: "M-6,-6 h12 v12 h-12 z",
  question: "M-6,-6 h12 v9 h-6 l-4,4 v-4 h-2 z",
  fault: "M1,-8 L-5,2 L-1,2 L-2,8 L5,-2 L1,-2 z",
  end: "M-3,-7 h6 v14 h-6 z",
};

export function Sign({ kind }: { kind: MarkKind }) {
  return (
    <svg viewBox="-9 -9 18 18" aria-hidden="true">
      <path d={SHAPES[kind]} />
    </svg>
  );
}

export function explain(view: RunView, mark: Mark): string {
  const { data } = mark;
  return {
    action: () => `Action ${view.nameOf(text(data.action?.id))}`,
    discrepancy: () => `Discrepancy: ${text(data.sentence)}`,
    revision: () => `Revision by ${text(data.reviser)}: ${reasonOf(data)}`,
    edit: () => `Tree changed: ${toldEdits(data)}`,
    question: () => `Question: ${text(data.question)}`,
    fault: () => `Fault: ${happened(phrase(data.what))}`,
    end: () => `End: ${text(data.outcome)}`,
  }[mark.kind]();
}

/** Few words for a mark beside others: a discrepancy by what was seen, an action by its number. */
export function inShort(view: RunView, mark: Mark): string {
  if (mark.kind === "discrepancy") return `Discrepancy: ${phrase(mark.data.seen) || text(mark.data.sentence)}`;
  if (mark.kind === "revision") return `Revision: ${reasonOf(mark.data)}`;
  if (mark.kind !== "action") return explain(view, mark);
  return `Action ${view.numberOf(text(mark.data.action?.id))} begins`;
}

/** The marks of the tick in which the *count*-th event lies. */
export function marksOf(view: RunView, count: number): readonly Mark[] {
  const { timeline } = view;
  const [from, to] = [timeline.before(count), timeline.settled(count)];
  return timeline.marks.filter((mark) => mark.index > from && mark.index <= to);
}

/** Go to a mark, with the details of what it is: an action, or all that happened in its tick. */
export function openMark(view: RunView, mark: Mark): void {
  view.goto(view.timeline.settled(mark.index));
  const action = mark.kind === "action" ? text(mark.data.action?.id) : mark.kind === "discrepancy" ? text(mark.data.action) : "";
  if (action !== "") view.select({ kind: "action", id: action });
  else if (mark.kind === "revision" || mark.kind === "edit") view.showDifference(true);
  else view.select({ kind: "event", id: String(view.timeline.rows[mark.index - 1]![0]) });
}

/** All that happened in the tick of an event, in full. */
export function Happened({ view, marks }: { view: RunView; marks: readonly Mark[] }) {
  return (
    <ul class="happened">
      {marks.map((mark) => (
        <li key={mark.index} class={`mark is-${mark.kind}`}>
          <Sign kind={mark.kind} />
          {mark.kind === "action" || mark.kind === "discrepancy" || mark.kind === "revision" ? (
            <button type="button" class="link" onClick={() => openMark(view, mark)}>
              {sentence(explain(view, mark))}
            </button>
          ) : (
            <span>
              {sentence(explain(view, mark))} {mark.kind === "fault" && whenSeen(view, view.timeline.rows[mark.index - 1]!)}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
