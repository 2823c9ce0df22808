/** What the agent believes at the moment on screen: entities, facts, what changed since, what is not known. */

import { useMemo, useState } from "preact/hooks";
import type { Atom, EventRow } from "./events";
import { items, showAtom } from "./events";
import { Fact, isGiven } from "./state";
import type { RunView } from "./view";
import { sayAtom } from "./words";

/** Where facts come from, as an explanation. */
const SOURCES: Readonly<Record<string, string>> = {
  told: "because a person said so",
  map: "because the map says so",
  class: "because of what it is",
  look: "because of a look on purpose",
  view: "because it was seen in passing",
  action: "because of an action",
  body: "because the robot feels it",
  follows: "because it follows from other facts",
  default: "because nothing says otherwise any more",
};

/** The most facts that are listed at once: more than a person reads. */
const MOST = 60;

export function BeliefPanel({ view }: { view: RunView }) {
  const [sought, setSought] = useState("");
  const [since, setSince] = useState<"start" | "action" | "event">("start");
  const [unknown, setUnknown] = useState(false);
  const [given, setGiven] = useState(false);
  const [whole, setWhole] = useState(false);
  const { state } = view;
  const selected = view.thing;
  const from = useMemo(() => sinceSeq(view, since), [state, since]);
  const words = sought.trim().toLowerCase();
  const most = whole ? Infinity : MOST;
  const facts = [...state.facts.values()].filter(
    (fact) =>
      (since === "start" || fact.since >= from) &&
      (unknown ? fact.truth === "unknown" : fact.truth !== "false" || since !== "start" || words !== "") &&
      (words === "" ? given || !isGiven(fact) : fact.atom.join(" ").toLowerCase().includes(words)) &&
      (selected?.kind !== "entity" || fact.atom.includes(selected.id)),
  );
  facts.sort((a, b) => b.seq - a.seq); // what was learned last comes first
  const entities = [...state.entities.values()]
    .filter((entity) => words === "" || `${entity.name} ${entity.class}`.toLowerCase().includes(words))
    .sort((a, b) => a.name.localeCompare(b.name));
  // A tree of one's own may know nothing but its blackboard.
  const believes = state.facts.size > 0 || state.blackboard.size === 0;
  const last = lastBelief(view);
  const places = useMemo(() => whereabouts(state.facts), [state, state.seq]);
  const fact = selected?.kind === "fact" ? state.facts.get(selected.id) : undefined;
  return (
    <div class="belief">
      <div class="tools">
        <input
          type="search"
          placeholder="Search entities and facts"
          aria-label="Search entities and facts"
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
        <select aria-label="Which facts" value={since} onChange={(e) => setSince(e.currentTarget.value as typeof since)}>
          <option value="start">all facts</option>
          <option value="action">changed since the last action began</option>
          <option value="event">changed by the last observation</option>
        </select>
        <label>
          <input type="checkbox" checked={unknown} onChange={(event) => setUnknown(event.currentTarget.checked)} />
          only unknown
        </label>
        <label title="Classes of things, what follows from them, and ways on the map">
          <input type="checkbox" checked={given} onChange={(event) => setGiven(event.currentTarget.checked)} />
          classes and map
        </label>
      </div>
      {state.blackboard.size > 0 && <Blackboard view={view} words={words} />}
      {fact !== undefined && <FactHistory view={view} fact={fact} />}
      {selected?.kind === "entity" && (
        <p class="filter">
          Facts about <b>{selected.id}</b>.{" "}
          <button type="button" onClick={() => view.forgetThing()}>
            Show all
          </button>
        </p>
      )}
      {believes && (
        <table class="rows">
          <caption>
            {facts.length === 0 ? "No facts" : facts.length === 1 ? "1 fact" : `${facts.length} facts`}
            {facts.length > most && (
              <>
                , of which {most} are shown{" "}
                <button type="button" class="link" onClick={() => setWhole(true)}>
                  show all
                </button>
              </>
            )}
          </caption>
          <thead>
            <tr>
              <th>Fact</th>
              <th>Truth</th>
              <th title="How sure it is that the fact is true, or false">Sure</th>
              <th title="What says so: point at one for its meaning">From</th>
            </tr>
          </thead>
          <tbody>
            {facts.slice(0, most).map((each, index) => (
              // Rows by their place: at another moment there are other facts, for which the same rows do.
              <FactRow key={index} view={view} fact={each} fresh={each.since === last} />
            ))}
          </tbody>
        </table>
      )}
      {believes && selected?.kind !== "entity" && since === "start" && !unknown && (
        <table class="rows">
          <caption>{entities.length === 1 ? "1 entity" : `${entities.length} entities`}</caption>
          <thead>
            <tr>
              <th>Entity</th>
              <th>Class</th>
              <th title="How sure it is that the thing is of this class; where it is, its facts say, as surely as they do">Class sure</th>
              <th>Where</th>
            </tr>
          </thead>
          <tbody>
            {entities.slice(0, MOST).map((entity, index) => (
              <tr key={index}>
                <td>
                  <button type="button" class="link" onClick={() => view.select({ kind: "entity", id: entity.name })}>
                    {entity.name}
                  </button>
                </td>
                <td>{entity.class}</td>
                <td class="short">{percent(entity.score)}</td>
                <td>{places.get(entity.name) ?? ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** Values on the blackboard of py_trees: trees of one's own have nothing but that, as a rule. */
function Blackboard({ view, words }: { view: RunView; words: string }) {
  const last = view.timeline.of("blackboard.changed", view.state.seq).at(-1)?.[0];
  const entries = [...view.state.blackboard]
    .filter(([key, { value }]) => words === "" || `${key} ${value}`.toLowerCase().includes(words))
    .sort(([a], [b]) => a.localeCompare(b));
  return (
    <table class="rows">
      <caption>Blackboard</caption>
      <thead>
        <tr>
          <th>Key</th>
          <th>Value</th>
        </tr>
      </thead>
      <tbody>
        {entries.slice(0, MOST).map(([key, { value, seq }]) => (
          <tr key={key} class={seq === last ? "fresh" : ""}>
            <td>{key}</td>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function FactRow({ view, fact, fresh }: { view: RunView; fact: Fact; fresh: boolean }) {
  const id = fact.atom.join(" ");
  return (
    <tr class={`${fact.truth}${fresh ? " fresh" : ""}`}>
      <td>
        <button type="button" class="link" title={`${sayAtom(fact.atom)}. Show its history`} onClick={() => view.select({ kind: "fact", id })}>
          {showAtom(fact.atom)}
        </button>
      </td>
      <td class="short">{fact.truth}</td>
      <td class="short">{percent(fact.confidence)}</td>
      <td class="short" title={SOURCES[fact.source]}>
        {fact.source}
      </td>
    </tr>
  );
}

function FactHistory({ view, fact }: { view: RunView; fact: Fact }) {
  const key = fact.atom.join(" ");
  const history = useMemo(() => {
    const found: { row: EventRow; said: readonly [Atom, string, number, string] }[] = [];
    for (const row of view.timeline.of("belief.changed", view.state.seq)) {
      for (const said of items<readonly [Atom, string, number, string]>(row[4].facts)) {
        if (said[0].join(" ") === key) found.push({ row, said });
      }
    }
    return found;
  }, [view.state, key]);
  return (
    <aside class="history" aria-label="History of a fact">
      <h3>
        {showAtom(fact.atom)}{" "}
        <button type="button" class="close" aria-label="Close" onClick={() => view.forgetThing()}>
          ✕
        </button>
      </h3>
      <p>
        Believed {fact.truth}, {percent(fact.confidence)} sure, {because(view, fact)}.
      </p>
      <ol>
        {history.map(({ row, said }) => (
          <li key={row[0]}>
            <button type="button" class="link" onClick={() => view.gotoEvent(row[0])}>
              {row[2].toFixed(1)} s
            </button>{" "}
            {said[1]}, {percent(said[2])}, from {said[3]}
          </li>
        ))}
      </ol>
    </aside>
  );
}

/** Why a fact is believed: which observation or action said so. */
function because(view: RunView, fact: Fact): string {
  const row = view.timeline.of("belief.changed").find((each) => each[0] === fact.seq);
  const when = row === undefined ? "" : ` at ${row[2].toFixed(1)} s`;
  const look = view.timeline.of("look.ended", fact.seq).at(-1);
  const looked = look !== undefined && row !== undefined && look[1] === row[1] ? " by a look" : "";
  const ends = view.timeline.of("action.ended", fact.seq).at(-1);
  const done = ends !== undefined && row !== undefined && ends[1] === row[1];
  const action = done ? `, at the end of ${view.state.describe(ends[4].action)}` : "";
  return `${SOURCES[fact.source] ?? `from ${fact.source}`}${looked}${when}${action}`;
}

export function percent(value: number): string {
  return typeof value === "number" ? `${Math.round(value * 100)} %` : "";
}

const PLACES = new Set(["on", "in", "under", "hung_on", "holding", "given", "rob_at_node", "at"]);

/** Where things are believed to be, in a few words. */
function whereabouts(facts: ReadonlyMap<string, Fact>): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const { atom, truth } of facts.values()) {
    const [predicate, ...rest] = atom;
    if (truth !== "true" || predicate === undefined || !PLACES.has(predicate)) continue;
    const isHeld = predicate === "holding";
    const thing = rest.at(isHeld ? -1 : 0);
    if (thing === undefined || places.has(thing)) continue;
    const how = { rob_at_node: "at", hung_on: "hung on", given: "given to" }[predicate] ?? predicate;
    places.set(thing, isHeld ? `in ${rest.slice(0, -1).join("'s ")}` : `${how} ${rest[1] ?? ""}`);
  }
  return places;
}

function lastBelief(view: RunView): number {
  return view.timeline.of("belief.changed", view.state.seq).at(-1)?.[0] ?? 0;
}

function sinceSeq(view: RunView, since: "start" | "action" | "event"): number {
  if (since === "event") return lastBelief(view);
  return view.timeline.of("action.intent", view.state.seq).at(-1)?.[0] ?? 0;
}
