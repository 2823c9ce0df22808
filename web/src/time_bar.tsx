/** The bar of time: play, step, and jump to what happened. */

import { useMemo, useRef } from "preact/hooks";
import { phrase, text } from "./events";
import { happened } from "./faults";
import { toldEdits } from "./revisions";
import { reasonOf } from "./story";
import type { Mark } from "./timeline";
import { RunView, SPEEDS } from "./view";

const SHAPES: Record<Mark["kind"], string> = {
  action: "M-2,-7 h4 v14 h-4 z",
  discrepancy: "M0,-7 L7,6 L-7,6 z",
  revision: "M0,-8 L6,0 L0,8 L-6,0 z",
  edit: "M-6,-6 h12 v12 h-12 z",
  question: "M-6,-6 h12 v9 h-6 l-4,4 v-4 h-2 z",
  fault: "M1,-8 L-5,2 L-1,2 L-2,8 L5,-2 L1,-2 z",
  end: "M-3,-7 h6 v14 h-6 z",
};

/** What the legend explains, of what there is. */
const LEGEND = ["action", "discrepancy", "revision", "edit", "question", "fault"] as const;

/** The most marks that are drawn; of more, every n-th of a kind is. */
const MOST = 400;

function explain(view: RunView, mark: Mark): string {
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
function inShort(view: RunView, mark: Mark): string {
  if (mark.kind === "discrepancy") return `Discrepancy: ${phrase(mark.data.seen) || text(mark.data.sentence)}`;
  if (mark.kind === "revision") return `Revision: ${reasonOf(mark.data)}`;
  if (mark.kind !== "action") return explain(view, mark);
  return `Action ${view.numberOf(text(mark.data.action?.id))} begins`;
}

/** Of more news in one tick, the rest is counted. */
const MOST_NEWS = 5;

/** Marks of the tick on screen, in words: what has just happened. */
function News({ view }: { view: RunView }) {
  const { timeline, count } = view;
  const from = timeline.before(count);
  if (view.tick !== timeline.rows[count - 1]?.[1]) return null;
  const news = timeline.marks.filter((mark) => mark.index > from && mark.index <= count && mark.kind !== "end");
  if (news.length === 0) return null;
  const shown = news.slice(0, MOST_NEWS);
  return (
    <span class="news" title={shown.map((mark) => explain(view, mark)).join("\n")}>
      {shown.map((mark) => (
        <span key={mark.index} class={`mark is-${mark.kind}`}>
          <svg viewBox="-9 -9 18 18" aria-hidden="true">
            <path d={SHAPES[mark.kind]} />
          </svg>
          {news.length > 1 ? inShort(view, mark) : explain(view, mark)}
        </span>
      ))}
      {news.length > MOST_NEWS && <span class="rest">and {news.length - MOST_NEWS} more</span>}
    </span>
  );
}

/** Marks that would lie on each other are put side by side, so far apart in pixels. */
const APART = 15;

/** A mark with how many lie left of it at the same time in the same row, and how many there are of them. */
function sideBySide(marks: readonly Mark[]): { mark: Mark; place: number; of: number }[] {
  const groups = new Map<string, Mark[]>();
  for (const mark of marks) {
    const key = `${isLow(mark)} ${mark.time.toFixed(2)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [mark]);
    else group.push(mark);
  }
  return [...groups.values()].flatMap((group) => group.map((mark, place) => ({ mark, place, of: group.length })));
}

function isLow(mark: Mark): boolean {
  return mark.kind === "action" || mark.kind === "end";
}

function shown(marks: readonly Mark[]): readonly Mark[] {
  if (marks.length <= MOST) return marks;
  const actions = marks.filter((mark) => mark.kind === "action");
  const others = marks.filter((mark) => mark.kind !== "action");
  const thin = (list: readonly Mark[]): Mark[] => {
    const every = Math.max(1, Math.ceil(list.length / (MOST / 2)));
    return list.filter((_, index) => index % every === 0);
  };
  return [...thin(actions), ...thin(others)];
}

/** Least distance of two numbers below the bar, in percent of its length. */
const ROOM = 1.7;

/** The numbers of actions that have room below the bar, as they are elsewhere. */
function ordinals(view: RunView, share: (time: number) => number): ReadonlyMap<Mark, number> {
  const numbers = new Map<Mark, number>();
  let last = -Infinity;
  for (const mark of view.timeline.marks) {
    if (mark.kind !== "action" || share(mark.time) - last < ROOM) continue;
    const number = view.numberOf(text(mark.data?.action?.id));
    if (number === null) continue;
    numbers.set(mark, number);
    last = share(mark.time);
  }
  return numbers;
}

function Marks({ view, share }: { view: RunView; share: (time: number) => number }) {
  const numbers = ordinals(view, share);
  return (
    <>
        {sideBySide(shown(view.timeline.marks)).map(({ mark, place, of }) => (
          <button
            type="button"
            key={mark.index}
            class={`mark is-${mark.kind}`}
            tabIndex={-1}
            style={{
              left: `calc(${share(mark.time)}% + ${(share(mark.time) > 95 ? place - of + 1 : place) * APART}px)`,
              top: `${isLow(mark) ? 15 : 0}px`,
            }}
            title={`${mark.time.toFixed(1)} s · ${explain(view, mark)}`}
            aria-label={`${mark.time.toFixed(1)} s · ${explain(view, mark)}`}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => {
              view.goto(view.timeline.settled(mark.index));
              if (mark.kind === "action") view.select({ kind: "action", id: text(mark.data.action?.id) });
              if (mark.kind === "discrepancy") view.select({ kind: "action", id: text(mark.data.action) });
              if (mark.kind === "revision" || mark.kind === "edit") view.showDifference(true);
            }}
          >
            <svg viewBox="-9 -9 18 18" aria-hidden="true">
              <path d={SHAPES[mark.kind]} />
            </svg>
            {numbers.has(mark) && <span class="ordinal">{numbers.get(mark)}</span>}
          </button>
        ))}
    </>
  );
}

export function TimeBar({ view }: { view: RunView }) {
  const bar = useRef<HTMLDivElement>(null);
  const { timeline } = view;
  const end = Math.max(timeline.end, 0.001);
  const share = (time: number): number => (100 * time) / end;
  const dragging = useRef(false);
  const jump = (event: PointerEvent): void => {
    const { left, width } = bar.current!.getBoundingClientRect();
    view.gotoTime((end * Math.min(Math.max(event.clientX - left, 0), width)) / width);
  };
  // Hundreds of marks are not looked through again with every frame.
  const marks = useMemo(() => <Marks view={view} share={share} />, [timeline.marks.length, end]);
  const now = Math.min(view.time, end);
  return (
    <footer class="time" aria-label="Time">
      <div class="buttons">
        <button type="button" onClick={() => view.gotoStart()} title="To the start (Home)" aria-label="Start">
          |◀
        </button>
        <button type="button" onClick={() => view.gotoMark(-1)} title="Previous mark (Shift+←)" aria-label="Previous mark">
          ‹◆
        </button>
        <button type="button" onClick={() => view.step(-1)} title="To the change before (←)" aria-label="To the change before">
          ‹
        </button>
        <button
          type="button"
          class="play"
          onClick={() => view.play()}
          title={view.playing ? "Pause (Space)" : "Play (Space)"}
          aria-label={view.playing ? "Pause" : "Play"}
        >
          {view.playing ? "❚❚" : "▶"}
        </button>
        <button type="button" onClick={() => view.step(1)} title="To the next change (→)" aria-label="To the next change">
          ›
        </button>
        <button type="button" onClick={() => view.gotoMark(1)} title="Next mark (Shift+→)" aria-label="Next mark">
          ◆›
        </button>
        <button type="button" onClick={() => view.goto(timeline.length)} title="To the end (End)" aria-label="End">
          ▶|
        </button>
        <select
          aria-label="Speed"
          value={String(view.speed)}
          onChange={(event) => {
            view.speed = Number(event.currentTarget.value);
            view.changed();
          }}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={String(speed)}>
              {speed}×
            </option>
          ))}
        </select>
        <span class="clock">
          {now.toFixed(1)} / {timeline.end.toFixed(1)} s · tick {view.tick}
        </span>
        <News view={view} />
        {view.live && (
          <button
            type="button"
            class={view.follows ? "live on" : "live"}
            onClick={() => view.goto(timeline.length)}
            title="Show the newest moment (End)"
          >
            ● Live
          </button>
        )}
      </div>
      <div
        ref={bar}
        class="scrubber"
        role="slider"
        tabIndex={0}
        aria-label="Moment of the run"
        aria-valuemin={0}
        aria-valuemax={Math.round(end * 10) / 10}
        aria-valuenow={Math.round(now * 10) / 10}
        aria-valuetext={`${now.toFixed(1)} seconds of ${timeline.end.toFixed(1)}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          dragging.current = true;
          jump(event);
        }}
        onPointerMove={(event) => dragging.current && jump(event)}
        onPointerUp={() => void (dragging.current = false)}
      >
        <div class="track">
          <div class="past" style={{ width: `${share(now)}%` }} />
        </div>
        <div class="head" style={{ left: `${share(now)}%` }} />
        {marks}
      </div>
      <p class="legend">
        {LEGEND.filter((kind) => timeline.marks.some((mark) => mark.kind === kind)).map((kind) => (
          <span key={kind} class={`mark is-${kind}`}>
            <svg viewBox="-9 -9 18 18" aria-hidden="true">
              <path d={SHAPES[kind]} />
            </svg>
            {kind === "edit" ? "tree change" : kind}
          </span>
        ))}
      </p>
    </footer>
  );
}
