/** Everything that happened, a line each, filtered by level, kind and words. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { actionOfNode } from "./state";
import { withoutList } from "./story";
import type { Line, RunView } from "./view";
import { countUpTo } from "./timeline";

const LEVELS = ["detail", "info", "warning", "error"] as const;
const LEVEL_NAMES = { detail: "everything", info: "without details", warning: "warnings and errors", error: "errors" };
/** The most lines on screen before the moment, and after it, until more are asked for; then so many times that. */
const [PAST, AHEAD, MORE] = [60, 20, 10];

export function LogPanel({ view }: { view: RunView }) {
  const [level, setLevel] = useState<(typeof LEVELS)[number]>("info");
  const [kind, setKind] = useState("");
  const [sought, setSought] = useState("");
  const [own, setOwn] = useState(false);
  const [before, setBefore] = useState(PAST);
  const [after, setAfter] = useState(AHEAD);
  const end = useRef<HTMLLIElement>(null);
  const { state, timeline } = view;
  const kinds = useMemo(
    () => [...new Set(view.lines.map(([seq]) => room(view, seq)))].sort(),
    [view.lines.length],
  );
  const selected = view.selected?.kind === "event" ? null : view.selected;
  const about = useMemo(
    () => (own && selected !== null ? eventsAbout(view, selected) : null),
    [own, selected?.kind, selected?.id, timeline.length],
  );
  const words = sought.trim().toLowerCase();
  const past = countUpTo(view.lines, state.seq);
  const fits = (line: Line): boolean =>
    LEVELS.indexOf(line[1]) >= LEVELS.indexOf(level) &&
    (kind === "" || room(view, line[0]) === kind) &&
    (about === null || about.has(line[0])) &&
    (words === "" || numbered(view, line[2]).toLowerCase().includes(words));
  // From the moment back and on, until there are enough.
  const lines: Line[] = [];
  let earliest = past - 1;
  for (; earliest >= 0 && lines.length < before; earliest--) if (fits(view.lines[earliest]!)) lines.push(view.lines[earliest]!);
  lines.reverse();
  const begun = lines.length;
  let next = past;
  for (; next < view.lines.length && lines.length < begun + after; next++) if (fits(view.lines[next]!)) lines.push(view.lines[next]!);
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
        <label title="Choose a node in the tree, or an action">
          <input type="checkbox" checked={own} disabled={selected === null} onChange={(event) => setOwn(event.currentTarget.checked)} />
          {selected === null ? "chosen node" : `only ${selected.kind === "action" ? view.nameOf(selected.id) : selected.id.split("/").at(-1)}`}
        </label>
      </div>
      {lines.length === 0 && <p class="empty">Nothing {view.lines.length > 0 ? "that fits the filter" : "yet"}.</p>}
      {earliest >= 0 && (
        <button type="button" class="link" onClick={() => setBefore(before * MORE)}>
          Earlier lines
        </button>
      )}
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
            <span>{numbered(view, sentence)}</span>
          </li>
        ))}
      </ol>
      {next < view.lines.length && (
        <button type="button" class="link" onClick={() => setAfter(after * MORE)}>
          Later lines
        </button>
      )}
    </div>
  );
}

/**
 * A line with the numbers of the actions, as everywhere on the page, in place of the ids that the record has. What a
 * revision changes is told by the lines after it.
 */
function numbered(view: RunView, sentence: string): string {
  const told = sentence.startsWith("revised by ") ? withoutList(sentence) : sentence;
  return told.replace(/\b(?:\d+\. )?(a\d+) (?=\w+\()/g, (all, id: string) => {
    if (!view.timeline.head.actions.has(id)) return all;
    const number = view.numberOf(id);
    return number === null ? "" : `${number}. `;
  });
}

/** The events that name an action, or a node, or the action that the node belongs to. */
function eventsAbout(view: RunView, { kind, id }: { kind: string; id: string }): Set<number> {
  const names = [id, ...(kind === "node" ? [actionOfNode(id)].filter(Boolean) : [])];
  const about = new Set<number>();
  for (const [seq, , , , data] of view.timeline.rows) {
    const told = JSON.stringify(data);
    if (names.some((name) => told.includes(JSON.stringify(name)))) about.add(seq);
  }
  return about;
}

/** The subject of an event: the first word of its kind. */
function room(view: RunView, seq: number): string {
  return (view.timeline.rows[seq - (view.timeline.rows[0]?.[0] ?? 1)]?.[3] ?? "").split(".")[0] ?? "";
}
