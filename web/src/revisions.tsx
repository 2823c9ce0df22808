/** Steps through the revisions of the plan, each with what was expected, what was seen and why it was made. */

import type { EventRow } from "./events";
import { phrase, text } from "./events";
import type { RunView } from "./view";

export interface RevisionStory {
  readonly number: number;
  readonly of: number;
  readonly revision: EventRow;
  readonly discrepancy: EventRow | undefined;
}

/** The last revision at the moment on screen; null before the first. */
export function lastRevision(view: RunView): RevisionStory | null {
  const all = view.timeline.of("revision.made");
  const made = view.timeline.of("revision.made", view.state.seq);
  const revision = made[made.length - 1];
  if (revision === undefined) return null;
  const discrepancy = view.timeline
    .of("discrepancy.found", view.state.seq)
    .find((row) => row[4].id === revision[4].discrepancy);
  return { number: made.length, of: all.length, revision, discrepancy };
}

/** How many events lead to the moment at which a revision is in the tree. */
export function afterRevision(view: RunView, revision: EventRow): number {
  const { timeline } = view;
  const next = timeline.of("revision.made").find((row) => row[0] > revision[0]);
  const splice = timeline.of("tree.spliced").find((row) => row[0] > revision[0]);
  const end = timeline.settled(timeline.countOf((splice ?? revision)[0]));
  // A tick may see two revisions: the first is shown as it was before the second.
  return next === undefined ? end : Math.min(end, timeline.countOf(next[0]) - 1);
}

export function Revisions({ view }: { view: RunView }) {
  const all = view.timeline.of("revision.made");
  if (all.length === 0) return null;
  const story = lastRevision(view);
  const number = story?.number ?? 0;
  const shown = story !== null && view.count === afterRevision(view, story.revision);
  const before = shown ? number - 1 : number;
  const go = (n: number): void => {
    view.goto(afterRevision(view, all[n - 1]!));
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
      <button type="button" disabled={before < 1} onClick={() => go(before)} aria-label="Revision before">
        ‹
      </button>
      <span>
        {number === 0 ? `before the first of ${all.length}` : `${shown ? "Revision" : "after revision"} ${number} of ${all.length}`}
      </span>
      <button type="button" disabled={number >= all.length} onClick={() => go(number + 1)} aria-label="Next revision">
        ›
      </button>
    </span>
  );
}

/** The story of the last revision, shown below the tree while its difference is. */
export function RevisionNote({ view }: { view: RunView }) {
  const story = lastRevision(view);
  if (!view.difference || story === null) return null;
  const found = story.discrepancy?.[4];
  return (
    <aside class="note" aria-label="Revision">
      <p>
        <b>
          Revision {story.number} of {story.of}, at {story.revision[2].toFixed(1)} s, by {text(story.revision[4].reviser)}.
        </b>{" "}
        {text(story.revision[4].why)}
      </p>
      {found !== undefined && (
        <p>
          Expected: {phrase(found.expected)}. Seen: {phrase(found.seen)}. ({text(found.guard)} guard of{" "}
          {view.state.describe(text(found.action))})
        </p>
      )}
      <p class="legend">
        <span class="added">+ added</span> <span class="removed">− taken out</span>
      </p>
    </aside>
  );
}
