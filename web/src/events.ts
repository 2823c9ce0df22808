/** Events of a run, as the record has them. */

export type Json = any; // eslint-disable-line -- data of events is checked where it is read

/** seq, tick, seconds on the session's clock, kind, data. */
export type EventRow = readonly [seq: number, tick: number, time: number, kind: string, data: Json];

export type Atom = readonly string[];

/** The items of a list; none of what is not a list, as in a damaged or foreign record. */
export function items<T = Json>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}

/** A value as text; "" for nothing. */
export function text(value: unknown): string {
  return value === null || value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

/** A fact as PDDL writes it. */
export function showAtom(atom: Atom | string): string {
  return typeof atom === "string" ? atom : `(${atom.join(" ")})`;
}

/** A value of event data as a person reads it: names joined by commas, atoms as PDDL writes them. */
export function phrase(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map((each) => (Array.isArray(each) ? `(${each.join(" ")})` : phrase(each))).join(", ");
  }
  return text(value);
}
