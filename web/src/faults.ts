/** What happens in the world behind the robot's back, and what of it the robot has not seen yet. */

import { EventRow, items, phrase } from "./events";
import type { RunView } from "./view";

/** A fault as what has happened: "at 5: move mango1 on table2" as "mango1 moved on table2". */
export function happened(line: string): string {
  const what = unconditional(line);
  const [, thing, where] = /^move (\S+) (?:to )?(.+)$/.exec(what) ?? [];
  if (thing === undefined || where === undefined) return what;
  return `${thing} moved ${where.includes(" ") ? where : `to ${where}`}`;
}

/** A line of faults without the moment for which it was meant. */
function unconditional(line: string): string {
  return line.replace(/^(?:at|after|before|when|during)\b[^:]*:\s*/, "");
}

/** A fault of which the belief at the moment on screen knows nothing. */
export interface UnseenFault {
  readonly words: string;
  readonly time: number;
  readonly thing: string;
  /** Where it is now, if it was moved. */
  readonly place: string | null;
}

const PLACES = ["on", "in", "under", "hung_on", "holding", "obj_at_node"];

/** What a belief says otherwise once the robot has seen such a fault. */
const PREDICATES: Readonly<Record<string, readonly string[]>> = {
  move: PLACES,
  remove: PLACES,
  open: ["open", "closed"],
  close: ["open", "closed"],
  dirty: ["clean"],
  clean: ["clean"],
  switch: ["turned_on"],
};

/** Whether and when the robot has seen what a fault did: a sentence; "" of what is not of a thing. */
export function whenSeen(view: RunView, row: EventRow): string {
  const [seq, , time] = row;
  const about = subjectOf(view, phrase(row[4].what));
  if (about === null) return "";
  for (const [later, , at, , data] of view.timeline.of("belief.changed")) {
    if (later <= seq) continue;
    const told = items<[string[], string]>(data.facts).some(([atom]) => about.tells(atom));
    if (told) return at - time < 0.05 ? "The robot saw it at once." : `The robot saw something of it at ${at.toFixed(1)} s.`;
  }
  return "The robot has never seen it.";
}

/** What a fault is about, and which facts tell of it; null for one of the robot rather than of the world. */
function subjectOf(view: RunView, line: string) {
  const [verb = "", ...words] = unconditional(line).split(/\s+/);
  const [thing, place] = words.filter((word) => view.timeline.head.entities.has(word));
  if (thing === undefined) return null;
  const told = PREDICATES[verb];
  return {
    thing,
    place: place ?? null,
    key: `${told === undefined ? verb : told[0]} ${thing}`,
    tells: (atom: readonly string[]): boolean => atom.includes(thing) && (told === undefined || told.includes(atom[0]!)),
  };
}

export function unseenFaults(view: RunView): UnseenFault[] {
  const { state, timeline } = view;
  const unseen = new Map<string, UnseenFault>();
  for (const [seq, , time, , data] of timeline.of("fault.injected", state.seq)) {
    const line = phrase(data.what);
    const about = subjectOf(view, line);
    if (about === null) continue;
    const { thing, place, key, tells } = about;
    unseen.delete(key); // what comes later counts
    const seen = [...state.facts.values()].some(({ atom, since }) => since > seq && tells(atom));
    if (!seen) unseen.set(key, { words: happened(line), time, thing, place });
  }
  return [...unseen.values()];
}
