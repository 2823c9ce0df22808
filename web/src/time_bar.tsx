/** The bar of time: play, step, and jump to what happened. */

import { useMemo, useRef } from "preact/hooks";
import { phrase, text } from "./events";
import type { Mark } from "./timeline";
import { RunView, SPEEDS } from "./view";

const SHAPES: Record<Mark["kind"], string> = {
  action: "M-2,-7 h4 v14 h-4 z",
  discrepancy: "M0,-7 L7,6 L-7,6 z",
  revision: "M0,-8 L6,0 L0,8 L-6,0 z",
  question: "M-6,-6 h12 v9 h-6 l-4,4 v-4 h-2 z",
  fault: "M1,-8 L-5,2 L-1,2 L-2,8 L5,-2 L1,-2 z",
  end: "M-3,-7 h6 v14 h-6 z",
};

/** The most marks that are drawn; of more, every n-th of a kind is. */
const MOST = 400;

function explain(mark: Mark): string {
  const { data } = mark;
  const what = {
    action: () => `Action ${text(data.action?.skill)}(${(data.action?.arguments ?? []).join(", ")})`,
    discrepancy: () => `Discrepancy: ${text(data.sentence)}`,
    revision: () => `Revision by ${text(data.reviser)}: ${text(data.why)}`,
    question: () => `Question: ${text(data.question)}`,
    fault: () => `Fault: ${phrase(data.what)}`,
    end: () => `End: ${text(data.outcome)}`,
  }[mark.kind]();
  return `${mark.time.toFixed(1)} s · ${what}`;
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

function Marks({ view, share }: { view: RunView; share: (time: number) => number }) {
  return (
    <>
        {shown(view.timeline.marks).map((mark) => (
          <button
            type="button"
            key={mark.index}
            class={`mark is-${mark.kind}`}
            tabIndex={-1}
            style={{ left: `${share(mark.time)}%`, top: `${mark.kind === "action" || mark.kind === "end" ? 15 : 0}px` }}
            title={explain(mark)}
            aria-label={explain(mark)}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => {
              view.goto(mark.index);
              if (mark.kind === "action") view.select({ kind: "action", id: text(mark.data.action?.id) });
              if (mark.kind === "discrepancy") view.select({ kind: "action", id: text(mark.data.action) });
              if (mark.kind === "revision") view.showDifference(true);
            }}
          >
            <svg viewBox="-9 -9 18 18" aria-hidden="true">
              <path d={SHAPES[mark.kind]} />
            </svg>
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
        <button type="button" onClick={() => view.gotoMark(-1)} title="Last mark (Shift+←)" aria-label="Last mark">
          |◀
        </button>
        <button type="button" onClick={() => view.goto(view.count - 1)} title="One event back (←)" aria-label="One event back">
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
        <button type="button" onClick={() => view.goto(view.count + 1)} title="One event on (→)" aria-label="One event on">
          ›
        </button>
        <button type="button" onClick={() => view.gotoMark(1)} title="Next mark (Shift+→)" aria-label="Next mark">
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
          {now.toFixed(1)} / {timeline.end.toFixed(1)} s · tick {view.state.tick}
        </span>
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
        {marks}
        <div class="head" style={{ left: `${share(now)}%` }} />
      </div>
      <p class="legend">
        {(["action", "discrepancy", "revision", "question", "fault"] as const).map((kind) => (
          <span key={kind} class={`mark is-${kind}`}>
            <svg viewBox="-9 -9 18 18" aria-hidden="true">
              <path d={SHAPES[kind]} />
            </svg>
            {kind}
          </span>
        ))}
      </p>
    </footer>
  );
}
