/** All events of a run, and its state at any of them. */

import { EventRow, Json } from "./events";
import { RunState } from "./state";

/** So many events lie between two kept states: what a jump costs, against memory. */
const SPAN = 2000;

/** What the bar of time marks. */
export type MarkKind = "action" | "discrepancy" | "revision" | "edit" | "question" | "fault" | "end";

export interface Mark {
  readonly index: number;
  readonly time: number;
  readonly kind: MarkKind;
  readonly data: any;
}

/** A change of the tree that can be shown as a difference: a revision, or what a program did to its own tree in a tick. */
export interface TreeChange {
  /** The revision, or the first event of the edit. */
  readonly row: EventRow;
  /** What was put in and taken out, for each node below which it was; null for a revision. */
  readonly edits: Json[] | null;
}

const MARKED: Record<string, MarkKind> = {
  "action.intent": "action",
  "discrepancy.found": "discrepancy",
  "revision.made": "revision",
  "person.asked": "question",
  "fault.injected": "fault",
  "run.ended": "end",
};

export class Timeline {
  readonly rows: EventRow[] = [];
  readonly marks: Mark[] = [];
  /** Revisions and edits, oldest first. */
  readonly changes: TreeChange[] = [];
  /** The state at the end of what has come so far. */
  readonly head = new RunState();
  /** The events of each kind, oldest first. */
  private readonly byKind = new Map<string, EventRow[]>();
  private readonly kept: RunState[] = [new RunState()];
  private cursor = new RunState();
  private at = 0;

  /** Number of events. */
  get length(): number {
    return this.rows.length;
  }

  /** Seconds on the session's clock at the last event. */
  get end(): number {
    return this.rows.length > 0 ? this.rows[this.rows.length - 1]![2] : 0;
  }

  add(rows: readonly EventRow[]): void {
    for (const row of rows) {
      this.rows.push(row);
      this.head.apply(row);
      const alike = this.byKind.get(row[3]);
      if (alike === undefined) this.byKind.set(row[3], [row]);
      else alike.push(row);
      const kind = MARKED[row[3]];
      if (kind !== undefined) this.marks.push({ index: this.rows.length, time: row[2], kind, data: row[4] });
      if (row[3] === "revision.made") this.changes.push({ row, edits: null });
      if (row[3] === "tree.spliced" && this.head.splice?.edits) this.addEdit(row);
      if (this.rows.length % SPAN === 0) this.kept.push(this.head.copy());
    }
  }

  private addEdit(row: EventRow): void {
    const last = this.changes[this.changes.length - 1];
    if (last?.edits && last.row[1] === row[1]) {
      last.edits.push(row[4]);
      return;
    }
    const edits = [row[4]];
    this.changes.push({ row, edits });
    this.marks.push({ index: this.rows.length, time: row[2], kind: "edit", data: edits });
  }

  /** The state after the first *count* events. What is returned must not be changed. */
  state(count: number): RunState {
    const wanted = Math.max(0, Math.min(count, this.rows.length));
    if (wanted === this.rows.length) return this.head;
    if (wanted < this.at || wanted - this.at > SPAN) {
      const index = Math.min(Math.floor(wanted / SPAN), this.kept.length - 1);
      this.cursor = this.kept[index]!.copy();
      this.at = index * SPAN;
    } else if (wanted > this.at) {
      this.cursor = this.cursor.copy(); // views compare states by identity
    }
    while (this.at < wanted) this.cursor.apply(this.rows[this.at++]!);
    return this.cursor;
  }

  /** The state after the first *count* events, to keep: for what is asked of another moment than the one on screen. */
  stateAfter(count: number): RunState {
    const index = Math.min(Math.floor(count / SPAN), this.kept.length - 1);
    const state = this.kept[index]!.copy();
    for (let at = index * SPAN; at < Math.min(count, this.rows.length); at++) state.apply(this.rows[at]!);
    return state;
  }

  /** How many events there were at *time*, those at that time included. */
  countAt(time: number): number {
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle]![2] <= time + 1e-9) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * How many events there were at the end of the tick in which the *count*-th lies. A tick is a moment to look at: within
   * it, an action has ended while the tree still shows it running.
   */
  settled(count: number): number {
    let index = Math.max(0, Math.min(count, this.rows.length));
    const tick = this.rows[index - 1]?.[1];
    while (index > 0 && this.rows[index]?.[1] === tick) index++;
    return index;
  }

  /** How many events lie before the tick of the *count*-th. */
  before(count: number): number {
    let index = Math.max(0, Math.min(count, this.rows.length));
    const tick = this.rows[index - 1]?.[1];
    while (index > 0 && this.rows[index - 1]![1] === tick) index--;
    return index;
  }

  /** The first moment that shows something: the end of the tick in which the tree was built. */
  get first(): number {
    const built = this.byKind.get("tree.built")?.[0];
    return built === undefined ? 0 : this.settled(this.countOf(built[0]));
  }

  /** How many events lead to the moment at which an action begins; null if it never does. */
  startOf(action: string): number | null {
    const begun = this.byKind.get("action.intent")?.find((row) => row[4].action?.id === action);
    return begun === undefined ? null : this.settled(this.countOf(begun[0]));
  }

  /** How many events lead to the moment at which an action ends; null before. */
  endOf(action: string): number | null {
    const ended = this.byKind.get("action.ended")?.find((row) => row[4].action === action);
    return ended === undefined ? null : this.settled(this.countOf(ended[0]));
  }

  /** How many events there are up to the one numbered *seq*: numbers count up without gaps. */
  countOf(seq: number): number {
    return seq - (this.rows[0]?.[0] ?? 1) + 1;
  }

  /** The tick at *time*, when *count* events had happened: between two events, ticks have gone on evenly. */
  tickAt(time: number, count: number): number {
    const [last, next] = [this.rows[count - 1], this.rows[count]];
    if (last === undefined || next === undefined || next[2] <= last[2]) return last?.[1] ?? 0;
    return last[1] + Math.floor(((next[1] - last[1]) * (time - last[2])) / (next[2] - last[2]) + 1e-6);
  }

  /** Seconds at the *count*-th event. */
  timeAt(count: number): number {
    return count > 0 && this.rows.length > 0 ? this.rows[Math.min(count, this.rows.length) - 1]![2] : 0;
  }

  /** The first event of a kind after the one numbered *seq*. */
  next(kind: string, seq: number): EventRow | undefined {
    const rows = this.byKind.get(kind) ?? [];
    return rows[countUpTo(rows, seq)];
  }

  /** The events of one kind up to the one numbered *seq*, oldest first. */
  of(kind: string, seq: number = Infinity): readonly EventRow[] {
    const rows = this.byKind.get(kind) ?? [];
    const last = rows[rows.length - 1];
    return last === undefined || last[0] <= seq ? rows : rows.slice(0, countUpTo(rows, seq));
  }
}

/** How many of *rows*, which are in order, have a number of at most *seq*. */
export function countUpTo(rows: readonly (readonly [number, ...unknown[]])[], seq: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]![0] <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
