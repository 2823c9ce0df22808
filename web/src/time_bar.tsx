/** The bar of time: play, step, and jump to what happened. */

import { useMemo, useRef } from "preact/hooks";
import { text } from "./events";
import { Sign, explain, inShort, marksOf, openMark } from "./marks";
import type { Mark } from "./timeline";
import { RunView, SPEEDS } from "./view";

/** What the legend explains, of what there is. */
const LEGEND = ["action", "discrepancy", "revision", "edit", "question", "fault"] as const;

/** The most marks that are drawn; of more, every n-th of a kind is. */
const MOST = 400;

/** Of more news in one tick, the rest is counted. */
const MOST_NEWS = 5;

/** Marks of the tick on screen, in words: what has just happened; all of it in full when it is clicked. */
function News({ view }: { view: RunView }) {
  const { timeline, count } = view;
  if (view.tick !== timeline.rows[count - 1]?.[1]) return null;
  const news = marksOf(view, count).filter((mark) => mark.index <= count && mark.kind !== "end");
  if (news.length === 0) return null;
  const shown = news.slice(0, MOST_NEWS);
  return (
    <button
      type="button"
      class="news"
      title={shown.map((mark) => explain(view, mark)).join("\n")}
      onClick={() => view.select({ kind: "event", id: String(timeline.rows[news[0]!.index - 1]![0]) })}
    >
      {shown.map((mark) => (
        <span key={mark.index} class={`mark is-${mark.kind}`}>
          <Sign kind={mark.kind} />
          {news.length > 1 ? inShort(view, mark) : explain(view, mark)}
        </span>
      ))}
      {news.length > MOST_NEWS && <span class="rest">and {news.length - MOST_NEWS} more</span>}
    </button>
  );
}

/** Pixels between two marks of one moment: beside each other below the bar, above each other over it. */
const APART = 15;
/** Of more marks at one moment, the rest stand beside the pile. */
const HIGHEST = 3;

/** A mark with its place among those of the same moment and row, and how many they are. */
interface Placed {
  readonly mark: Mark;
  readonly place: number;
  readonly of: number;
}

function piled(marks: readonly Mark[]): Placed[] {
  const groups = new Map<string, Mark[]>();
  for (const mark of marks) {
    const key = `${isLow(mark)} ${mark.time.toFixed(2)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [mark]);
    else group.push(mark);
  }
  return [...groups.values()].flatMap((group) => group.map((mark, place) => ({ mark, place, of: group.length })));
}

/** How many steps a mark stands beside the first of its moment, and above it. */
function offsets({ mark, place, of }: Placed): readonly [beside: number, above: number] {
  return isLow(mark) ? [place, 0] : [Math.floor(place / HIGHEST), Math.min(of, HIGHEST) - 1 - (place % HIGHEST)];
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

/** Least distance of a number from the one before, and the width of each of its letters, in percent of the bar. */
const [ROOM, LETTER] = [0.9, 0.5];

/** The numbers of actions below the bar, as they are elsewhere: where there is no room for each, the first and the last. */
function ordinals(view: RunView, share: (time: number) => number): ReadonlyMap<Mark, string> {
  const numbers = new Map<Mark, string>();
  let [first, begins, at] = ["", null as Mark | null, -Infinity];
  for (const mark of view.timeline.marks) {
    const number = mark.kind === "action" ? view.numberOf(text(mark.data?.action?.id)) : null;
    if (number === null) continue;
    if (begins !== null && share(mark.time) - at < ROOM + LETTER * numbers.get(begins)!.length) {
      numbers.set(begins, `${first}–${number}`);
      continue;
    }
    [first, begins, at] = [String(number), mark, share(mark.time)];
    numbers.set(mark, first);
  }
  return numbers;
}

function Marks({ view, placed, share }: { view: RunView; placed: readonly Placed[]; share: (time: number) => number }) {
  const numbers = ordinals(view, share);
  return (
    <>
      {placed.map((each) => {
        const { mark, of } = each;
        const [beside, above] = offsets(each);
        const shift = share(mark.time) > 95 && isLow(mark) ? beside - of + 1 : beside;
        return (
          <button
            type="button"
            key={mark.index}
            class={`mark is-${mark.kind}`}
            tabIndex={-1}
            style={{
              left: `calc(${share(mark.time)}% + ${shift * APART}px)`,
              top: isLow(mark) ? "calc(var(--pile) + 15px)" : `calc(var(--pile) - ${above * APART}px)`,
            }}
            title={`${mark.time.toFixed(1)} s · ${explain(view, mark)}`}
            aria-label={`${mark.time.toFixed(1)} s · ${explain(view, mark)}`}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => openMark(view, mark)}
          >
            <Sign kind={mark.kind} />
            {numbers.has(mark) && <span class="ordinal">{numbers.get(mark)}</span>}
          </button>
        );
      })}
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
  const placed = useMemo(() => piled(shown(timeline.marks)), [timeline.marks.length]);
  const pile = useMemo(() => Math.max(0, ...placed.map((each) => offsets(each)[1])), [placed]);
  const marks = useMemo(() => <Marks view={view} placed={placed} share={share} />, [placed, end]);
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
        style={{ "--pile": `${pile * APART}px` }}
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
            <Sign kind={kind} />
            {kind === "edit" ? "tree change" : kind}
          </span>
        ))}
      </p>
    </footer>
  );
}
