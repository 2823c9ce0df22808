/** Everything that happened, a line each, filtered by level, kind and words. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Line, RunView } from "./view";
import { countUpTo } from "./timeline";

const LEVELS = ["detail", "info", "warning", "error"] as const;
const LEVEL_NAMES = { detail: "everything", info: "without details", warning: "warnings and errors", error: "errors" };
/** The most lines on screen before the moment, and after it. */
const [PAST, AHEAD] = [60, 20];

export function LogPanel({ view }: { view: RunView }) {
  const [level, setLevel] = useState<(typeof LEVELS)[number]>("info");
  const [kind, setKind] = useState("");
  const [sought, setSought] = useState("");
  const end = useRef<HTMLLIElement>(null);
  const { state, timeline } = view;
  const kinds = useMemo(
    () => [...new Set(view.lines.map(([seq]) => room(view, seq)))].sort(),
    [view.lines.length],
  );
  const words = sought.trim().toLowerCase();
  const past = countUpTo(view.lines, state.seq);
  const fits = (line: Line): boolean =>
    LEVELS.indexOf(line[1]) >= LEVELS.indexOf(level) &&
    (kind === "" || room(view, line[0]) === kind) &&
    (words === "" || line[2].toLowerCase().includes(words));
  // From the moment back and on, until there are enough.
  const lines: Line[] = [];
  for (let i = past - 1; i >= 0 && lines.length < PAST; i--) if (fits(view.lines[i]!)) lines.push(view.lines[i]!);
  lines.reverse();
  const begun = lines.length;
  for (let i = past; i < view.lines.length && lines.length < begun + AHEAD; i++) if (fits(view.lines[i]!)) lines.push(view.lines[i]!);
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [lines[begun - 1]]);
  return (
    <div class="log">
      <div class="tools">
        <select aria-label="Level" value={level} onChange={(event) => setLevel(event.currentTarget.value as typeof level)}>
          {LEVELS.map((each) => (
            <option key={each} value={each}>
              {LEVEL_NAMES[each]}
            </option>
          ))}
        </select>
        <select aria-label="Subject" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
          <option value="">all subjects</option>
          {kinds.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
        <input
          type="search"
          placeholder="Search the log"
          aria-label="Search the log"
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
      </div>
      {lines.length === 0 && <p class="empty">Nothing {view.lines.length > 0 ? "that fits the filter" : "yet"}.</p>}
      <ol>
        {lines.map(([seq, severity, sentence], index) => (
          <li
            key={`${seq} ${index}`}
            class={`${severity}${index >= begun ? " ahead" : index === begun - 1 ? " now" : ""}`}
            ref={index === begun - 1 ? end : null}
            onClick={() => view.gotoEvent(seq)}
          >
            <button type="button" class="link when">
              {(timeline.rows[seq - (timeline.rows[0]?.[0] ?? 1)]?.[2] ?? 0).toFixed(1)} s
            </button>
            <span>{sentence}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The subject of an event: the first word of its kind. */
function room(view: RunView, seq: number): string {
  return (view.timeline.rows[seq - (view.timeline.rows[0]?.[0] ?? 1)]?.[3] ?? "").split(".")[0] ?? "";
}
