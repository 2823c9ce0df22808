/** Everything that happened, a line each, filtered by level, kind and words. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Line, RunView } from "./view";
import { countUpTo } from "./timeline";

const LEVELS = ["detail", "info", "warning", "error"] as const;
const LEVEL_NAMES = { detail: "everything", info: "without details", warning: "warnings and errors", error: "errors" };
/** The most lines on screen; those nearest to the moment are shown. */
const MOST = 200;

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
  // From the moment back, until there are enough.
  const lines: Line[] = [];
  for (let i = past - 1; i >= 0 && lines.length < MOST; i--) {
    const line = view.lines[i]!;
    const fits =
      LEVELS.indexOf(line[1]) >= LEVELS.indexOf(level) &&
      (kind === "" || room(view, line[0]) === kind) &&
      (words === "" || line[2].toLowerCase().includes(words));
    if (fits) lines.push(line);
  }
  lines.reverse();
  useEffect(() => end.current?.scrollIntoView({ block: "nearest" }), [lines.at(-1)]);
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
      {lines.length === 0 && <p class="empty">Nothing {past > 0 ? "that fits the filter" : "yet"}.</p>}
      <ol>
        {lines.map(([seq, severity, sentence], index, shown) => (
          <li key={`${seq} ${index}`} class={severity} ref={index === shown.length - 1 ? end : null}>
            <button type="button" class="link when" onClick={() => view.goto(seq - (timeline.rows[0]?.[0] ?? 1) + 1)}>
              {(timeline.rows[seq - (timeline.rows[0]?.[0] ?? 1)]?.[2] ?? 0).toFixed(1)} s
            </button>
            <span class="kind">{room(view, seq)}</span>
            {sentence}
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
