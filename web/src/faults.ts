/** What happens in the world behind the robot's back, and what of it the robot has not seen yet. */

import { phrase } from "./events";
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

export function unseenFaults(view: RunView): UnseenFault[] {
  const { state, timeline } = view;
  const unseen = new Map<string, UnseenFault>();
  for (const [seq, , time, , data] of timeline.of("fault.injected", state.seq)) {
    const line = phrase(data.what);
    const [verb = "", ...words] = unconditional(line).split(/\s+/);
    const [thing, place] = words.filter((word) => timeline.head.entities.has(word));
    if (thing === undefined) continue; // of the robot rather than of the world
    const told = PREDICATES[verb];
    const key = `${told === undefined ? verb : told[0]} ${thing}`;
    unseen.delete(key); // what comes later counts
    const seen = [...state.facts.values()].some(
      ({ atom, since }) => since > seq && atom.includes(thing) && (told === undefined || told.includes(atom[0]!)),
    );
    if (!seen) unseen.set(key, { words: happened(line), time, thing, place: place ?? null });
  }
  return [...unseen.values()];
}
