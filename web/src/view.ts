/** What is on screen: which run, which moment, what is selected. Views ask it and tell it, and nothing else. */

import { Feed } from "./feed";
import { Link, readLink, writeLink } from "./link";
import { Action, RunState, showAction } from "./state";
import { Timeline } from "./timeline";

export type Panel = "world" | "belief" | "plan" | "reasoner" | "log";
export const PANELS: readonly Panel[] = ["world", "belief", "plan", "reasoner", "log"];

/** What a person has clicked on; a fact is named by its words, an event by its number, the others by their ids. */
export interface Selection {
  readonly kind: "action" | "node" | "event" | "entity" | "fact";
  readonly id: string;
}

/** Facts about a run that are known without its events. */
export interface RunInfo {
  readonly id: string;
  readonly instruction: string;
  readonly scene: string;
  readonly started: number;
  readonly status: "running" | "ended" | "interrupted";
  readonly outcome: string;
  readonly events: number;
  readonly seconds: number;
  /** How many actions the robot was told to do, and how often the plan was revised; null while the run goes on. */
  readonly actions: number | null;
  readonly revisions: number | null;
}

/** A sentence about an event: its number, how serious it is, the sentence. */
export type Line = readonly [seq: number, level: "detail" | "info" | "warning" | "error", sentence: string];

/** A place in time to come back to. */
interface Moment {
  readonly count: number;
  readonly time: number;
  readonly atEnd: boolean;
}

export const SPEEDS = [0.25, 0.5, 1, 2, 5, 10, 30] as const;

export class RunView {
  readonly timeline = new Timeline();
  readonly lines: Line[] = [];
  info: RunInfo | null = null;
  /** Why the run cannot be shown any further. */
  trouble = "";
  loaded = false;
  /** So many events have happened at the moment on screen. */
  count = 0;
  /** The moment on screen in seconds, where it was chosen by its time; null at the last event. */
  private moment: number | null = null;
  /** Whether the moment on screen is the newest one, whatever comes. */
  follows = true;
  playing = false;
  speed = 1;
  panel: Panel = "world";
  /** The action, node or event whose detail is open. */
  selected: Selection | null = null;
  /** The thing or fact that is looked at, beside that. */
  thing: Selection | null = null;
  difference = false;
  canControl = false;
  /** What the run says to the last request. */
  reply = "";
  /** The last event before that request. */
  asked = 0;
  feed: Feed | null = null;
  /** Camera images by their digest, in a page that holds them itself; null where the server has them. */
  images: Readonly<Record<string, string>> | null = null;
  /** So many camera images are not in the page, since there was no room. */
  imagesLeftOut = 0;
  /** The last way to the start of an action: where one was before, and where it led. */
  private jump: { readonly from: Moment; readonly to: number } | null = null;
  private readonly listeners = new Set<() => void>();
  private pending = false;
  private settling = 0;
  private clock = { at: 0, from: 0 };
  /** What the address asks for; its moment only until another one is chosen. */
  wanted: Link;

  /** @param alone whether the address is that of this run: not beside another run */
  constructor(
    readonly id: string,
    link: Link,
    private readonly alone = true,
  ) {
    this.wanted = link;
    if (link.panel !== undefined) this.panel = link.panel;
    this.selected = link.selected ?? null;
    this.thing = link.thing ?? null;
    this.difference = link.difference;
    if (link.at !== null) this.follows = false;
  }

  // -- asking ------------------------------------------------------------------------------------------
  get state(): RunState {
    return this.timeline.state(this.count);
  }

  get time(): number {
    return this.playing ? this.clock.at : (this.moment ?? this.timeline.timeAt(this.count));
  }

  get tick(): number {
    return this.timeline.tickAt(this.time, this.count);
  }

  /** An action as it is now or, if the moment on screen knows none of that name yet, as the record has it last. */
  action(id: string): Action | undefined {
    return this.state.actions.get(id) ?? this.timeline.head.actions.get(id);
  }

  /** The one number of an action, at every moment and in every panel: its place among those carried out. */
  numberOf(id: string): number | null {
    return this.timeline.head.actions.get(id)?.ordinal ?? null;
  }

  /** An action as every panel calls it: "3. move(robot1, table1, table2)", without a number if it never began. */
  nameOf(id: string): string {
    const action = this.action(id);
    const number = this.numberOf(id);
    return `${number === null ? "" : `${number}. `}${action === undefined ? id : showAction(action)}`;
  }

  /** Where "back" leads, in words; null where there is nothing to come back from. */
  get wayBack(): string | null {
    if (this.jump === null || this.jump.from.count === this.count) return null;
    const { atEnd, time } = this.jump.from;
    return atEnd ? (this.live ? "now" : "the end") : `${time.toFixed(1)} s`;
  }

  /** Where a camera image is; null if it is nowhere. */
  imageAddress(digest: string): string | null {
    if (digest === "") return null;
    if (this.images === null) return `runs/${encodeURIComponent(this.id)}/images/${encodeURIComponent(digest)}`;
    return Object.hasOwn(this.images, digest) ? this.images[digest]! : null;
  }

  get live(): boolean {
    return this.info?.status === "running";
  }

  // -- being told --------------------------------------------------------------------------------------
  /** Call *listener* once a frame while something changes; what is returned ends that. */
  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  changed(): void {
    // While a long record comes in, drawing would take longer than reading it.
    if (this.pending || (!this.loaded && this.trouble === "" && this.timeline.length > 0)) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      for (const listener of this.listeners) listener();
    });
  }

  /** Events have come. */
  arrived(): void {
    if (this.follows || !this.loaded) this.count = this.timeline.length;
    if (this.wanted.at !== null) this.lookAt(this.wanted.at);
    this.changed();
  }

  /** Show the moment at which *count* events had happened. */
  goto(count: number): void {
    this.wanted = { ...this.wanted, at: null, wrongAt: "" };
    this.playing = false;
    this.moment = null;
    this.count = Math.max(0, Math.min(Math.round(count), this.timeline.length));
    this.follows = this.live && this.count === this.timeline.length;
    this.keep();
  }

  /** Show the moment *time*, be there an event or not. */
  gotoTime(time: number): void {
    this.goto(this.timeline.countAt(time));
    this.lookAt(time);
    this.keep();
  }

  private lookAt(time: number): void {
    this.count = this.timeline.settled(this.timeline.countAt(time));
    const { timeline, count } = this;
    this.moment = count < timeline.length ? Math.max(time, timeline.timeAt(count)) : null;
  }

  /** Show what the tick came to in which the event numbered *seq* happened. */
  gotoEvent(seq: number): void {
    this.goto(this.timeline.settled(this.timeline.countOf(seq)));
  }

  /**
   * Choose an action and show the world at its start. What goes on live stays on screen, and an action that never
   * began has no start: then it is only chosen.
   */
  gotoAction(id: string): void {
    this.select({ kind: "action", id });
    const start = this.timeline.startOf(id);
    if ((this.live && this.follows) || start === null) return;
    const { count, time, jump } = this;
    const from = jump !== null && jump.to === count ? jump.from : { count, time, atEnd: count >= this.timeline.length };
    this.goto(start);
    this.jump = { from, to: this.count };
  }

  /** Back to where one was before going to the start of an action. */
  goBack(): void {
    if (this.jump === null) return;
    const { count, time, atEnd } = this.jump.from;
    this.jump = null;
    if (atEnd) this.goto(this.timeline.length);
    else if (time > this.timeline.timeAt(count)) this.gotoTime(time);
    else this.goto(count);
  }

  gotoStart(): void {
    this.goto(this.timeline.first);
  }

  /** The next or the last tick in which something happened. */
  step(direction: 1 | -1): void {
    const { timeline, count, moment } = this;
    if (direction === 1) this.goto(timeline.settled(count + 1));
    else if (moment !== null && moment > timeline.timeAt(count)) this.goto(count);
    else this.goto(Math.max(timeline.before(count), Math.min(count, timeline.first)));
  }

  /** The next or the last moment that the bar of time marks. */
  gotoMark(direction: 1 | -1, kinds?: readonly string[]): void {
    const marks = this.timeline.marks.filter((mark) => kinds === undefined || kinds.includes(mark.kind));
    const { timeline } = this;
    const next =
      direction === 1
        ? marks.find((mark) => mark.index > this.count)
        : marks.findLast((mark) => mark.index <= timeline.before(this.count));
    if (next !== undefined) this.goto(timeline.settled(next.index));
    else if (direction === 1) this.goto(timeline.length);
    else this.gotoStart();
  }

  play(on = !this.playing): void {
    if (on && this.count >= this.timeline.length) {
      this.follows = this.live; // a run that is over plays from its start, whatever was followed before
      if (!this.live) {
        this.count = this.timeline.first;
        this.moment = null;
      }
    }
    this.wanted = { ...this.wanted, at: null, wrongAt: "" };
    if (!on && this.playing) this.moment = this.clock.at;
    const from = this.time;
    this.playing = on && !this.follows;
    if (this.playing) {
      this.clock = { at: from, from: performance.now() };
      this.moment = null;
      requestAnimationFrame(() => this.advance());
    }
    this.keep();
  }

  private advance(): void {
    if (!this.playing) return;
    const now = performance.now();
    this.clock = { at: this.clock.at + ((now - this.clock.from) / 1000) * this.speed, from: now };
    this.count = Math.max(this.count, this.timeline.countAt(this.clock.at));
    if (this.count >= this.timeline.length) {
      this.playing = false;
      this.follows = this.live;
      this.keep();
    } else {
      this.changed();
      requestAnimationFrame(() => this.advance());
    }
  }

  select(selected: Selection | null): void {
    if (selected?.kind === "entity" || selected?.kind === "fact") this.thing = selected;
    else this.selected = selected;
    this.keep();
  }

  forgetThing(): void {
    this.thing = null;
    this.keep();
  }

  show(panel: Panel): void {
    this.panel = panel;
    this.keep();
  }

  showDifference(on: boolean): void {
    this.difference = on;
    this.keep();
  }

  /** Ask something of a run that goes on. */
  ask(request: Record<string, unknown>): void {
    this.reply = "";
    this.asked = this.timeline.rows.at(-1)?.[0] ?? 0;
    this.feed?.send(request);
  }

  /** Put what is on screen into the address bar, once things have settled: browsers limit how often. */
  private keep(): void {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.writeAddress(), 200);
    this.changed();
  }

  /** Do so now. */
  writeAddress(): void {
    clearTimeout(this.settling);
    if (!this.alone) return;
    writeLink(this.id, {
      at: this.follows || this.count >= this.timeline.length ? null : this.time,
      panel: this.panel,
      selected: this.selected ?? undefined,
      thing: this.thing ?? undefined,
      difference: this.difference,
    });
  }
}

export { readLink };
