/** Steps through the changes of the tree: revisions of the plan, each with what was expected, what was seen and why it
 * was made, and what a program that is recorded did to its own tree. */

import type { Json } from "./events";
import { items, phrase, text } from "./events";
import type { EventRow } from "./events";
import { reasonOf } from "./story";
import type { TreeChange } from "./timeline";
import type { RunView } from "./view";

/** The last change at the moment on screen, and how many there are up to it; null before the first. */
function lastChange(view: RunView): { change: TreeChange; number: number } | null {
  const { changes } = view.timeline;
  let number = changes.length;
  while (number > 0 && changes[number - 1]!.row[0] > view.state.seq) number--;
  return number === 0 ? null : { change: changes[number - 1]!, number };
}

/** How many events lead to the moment at which a change is in the tree. */
function afterChange(view: RunView, change: TreeChange): number {
  const { timeline } = view;
  const [seq] = change.row;
  const next = timeline.changes.find((other) => other.row[0] > seq);
  const splice = change.edits === null ? timeline.of("tree.spliced").find((row) => row[0] > seq) : undefined;
  const end = timeline.settled(timeline.countOf((splice ?? change.row)[0]));
  // A tick may see two revisions: the first is shown as it was before the second.
  return next === undefined ? end : Math.min(end, timeline.countOf(next.row[0]) - 1);
}

/** What the changes of a run are called, all together. */
function wordFor(view: RunView): "Revision" | "Tree change" {
  return view.timeline.changes.some((change) => change.edits !== null) ? "Tree change" : "Revision";
}

/** Edits in words: "lamp added below robot; bell removed below robot". */
export function toldEdits(edits: readonly Json[]): string {
  return edits
    .flatMap((edit) => {
      const below = lastPart(text(edit.below));
      const added = items<Json>(edit.added).filter((node) => node.parent === edit.below);
      const removed = items<string>(edit.removed);
      const gone = new Set(removed);
      const tops = removed.filter((id) => !gone.has(id.slice(0, id.lastIndexOf("/"))));
      return [
        added.length > 0 ? `${added.map((node) => text(node.name)).join(", ")} added below ${below}` : "",
        tops.length > 0 ? `${tops.map(lastPart).join(", ")} removed below ${below}` : "",
      ];
    })
    .filter((words) => words !== "")
    .join("; ");
}

function lastPart(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}

export function Revisions({ view }: { view: RunView }) {
  const all = view.timeline.changes;
  if (all.length === 0) return null;
  const last = lastChange(view);
  const number = last?.number ?? 0;
  const shown = last !== null && view.count === afterChange(view, last.change);
  const before = shown ? number - 1 : number;
  const word = wordFor(view);
  const go = (n: number): void => {
    view.goto(afterChange(view, all[n - 1]!));
    view.showDifference(true);
  };
  return (
    <span class="revisions">
      <label title="Show what the last change of the tree took out and put in">
        <input
          type="checkbox"
          checked={view.difference}
          onChange={(event) => view.showDifference(event.currentTarget.checked)}
        />
        Difference
      </label>
      <button type="button" disabled={before < 1} onClick={() => go(before)} aria-label={`${word} before`}>
        ‹
      </button>
      <span>
        {number === 0
          ? `before the first of ${all.length}`
          : `${shown ? word : `after ${word.toLowerCase()}`} ${number} of ${all.length}`}
      </span>
      <button
        type="button"
        disabled={number >= all.length}
        onClick={() => go(number + 1)}
        aria-label={`Next ${word.toLowerCase()}`}
      >
        ›
      </button>
    </span>
  );
}

/** A revision, told in one place: when, by whom and why, and what it took out and put in. */
export function RevisionTold({ view, row }: { view: RunView; row: EventRow }) {
  return (
    <div class="revision">
      <p>
        ◆{" "}
        <button type="button" class="link" onClick={() => view.gotoEvent(row[0])}>
          {row[2].toFixed(1)} s
        </button>
        , the plan was revised by {text(row[4].reviser)}: {reasonOf(row[4])}
      </p>
      <Exchanged view={view} revision={row[4]} />
    </div>
  );
}

/** The actions that a revision took out and put in, a line each. */
export function Exchanged({ view, revision }: { view: RunView; revision: Json }) {
  const names = (ids: readonly string[]): string => ids.map((id) => view.nameOf(id)).join(", ");
  const removed = items<string>(revision.removed);
  const added = items<Json>(revision.added).map((action) => text(action.id));
  return (
    <>
      {removed.length > 0 && (
        <p class="exchanged">
          <span class="removed">− taken out:</span> {names(removed)}
        </p>
      )}
      {added.length > 0 && (
        <p class="exchanged">
          <span class="added">+ put in:</span> {names(added)}
        </p>
      )}
    </>
  );
}

/** The story of the last change, shown below the tree while its difference is. */
export function RevisionNote({ view }: { view: RunView }) {
  const last = lastChange(view);
  if (!view.difference || last === null) return null;
  const { row, edits } = last.change;
  const counted = `${last.number} of ${view.timeline.changes.length}, at ${row[2].toFixed(1)} s`;
  const found = view.timeline
    .of("discrepancy.found", view.state.seq)
    .find((each) => edits === null && each[4].id === row[4].discrepancy)?.[4];
  return (
    <aside class="note" aria-label={edits === null ? "Revision" : "Tree changed"}>
      {edits === null ? (
        <>
          <p>
            <b>
              {wordFor(view)} {counted}, by {text(row[4].reviser)}.
            </b>{" "}
            {reasonOf(row[4])}
          </p>
          <Exchanged view={view} revision={row[4]} />
        </>
      ) : (
        <p>
          <b>Tree changed, {counted}.</b> {toldEdits(edits)}
        </p>
      )}
      {found !== undefined && (
        <p>
          Expected: {phrase(found.expected)}. Seen: {phrase(found.seen)}. ({text(found.guard)} guard of{" "}
          {view.nameOf(text(found.action))})
        </p>
      )}
      <p class="legend">
        <span class="added">+ added</span> <span class="removed">− taken out</span>
      </p>
    </aside>
  );
}
