/** Steering a run that goes on: pause, step, stop, answer, breakpoints, surprises. Only with `--control`. */

import { useState } from "preact/hooks";
import { items, text } from "./events";
import type { RunView } from "./view";
import { spotsOf } from "./world_spots";

/** Kinds of things at which a run can be halted. */
export type BreakpointKind = "node" | "action" | "guard" | "discrepancy";

function steers(view: RunView): boolean {
  return view.live && view.canControl;
}

export function Controls({ view }: { view: RunView }) {
  if (!view.live) return null;
  if (!view.canControl) {
    return (
      <span class="faint" title="Start the viewer with --control to pause, step and stop runs.">
        watching only
      </span>
    );
  }
  const { paused } = view.timeline.head;
  return (
    <span class="controls">
      {paused ? (
        <button type="button" onClick={() => view.ask({ do: "resume" })}>
          Continue
        </button>
      ) : (
        <button type="button" onClick={() => view.ask({ do: "pause" })}>
          Pause
        </button>
      )}
      <button type="button" disabled={!paused} onClick={() => view.ask({ do: "step" })} title="One tick">
        Step
      </button>
      <button type="button" class="stop" onClick={() => view.ask({ do: "stop" })}>
        Stop
      </button>
      <DiscrepancyBreakpoints view={view} />
    </span>
  );
}

function DiscrepancyBreakpoints({ view }: { view: RunView }) {
  return (
    <select
      aria-label="Halt at discrepancies"
      value=""
      onChange={(event) => {
        const value = event.currentTarget.value;
        if (value !== "") view.ask({ do: "break", at: "discrepancy", value });
        event.currentTarget.value = "";
      }}
    >
      <option value="">Halt at…</option>
      {["any", "presence", "appearance", "attribute", "relationship"].map((kind) => (
        <option key={kind} value={kind}>
          {kind === "any" ? "any discrepancy" : `${kind} discrepancy`}
        </option>
      ))}
    </select>
  );
}

export function Breakpoint({ view, kind, value }: { view: RunView; kind: BreakpointKind; value: string }) {
  if (!steers(view)) return null;
  return (
    <button type="button" onClick={() => view.ask({ do: "break", at: kind, value })} title="Pause the run when it comes to this">
      Halt here
    </button>
  );
}

/** The breakpoints of a run, and its last reply. */
export function Halts({ view }: { view: RunView }) {
  const halts = items<{ at: string; value: string }>(view.timeline.of("breakpoints.changed").at(-1)?.[4]?.breakpoints);
  const refused = view.timeline.of("request.refused").at(-1);
  const reply = refused !== undefined && refused[0] > view.asked ? text(refused[4].why) : view.reply;
  if (!steers(view) || (halts.length === 0 && reply === "")) return null;
  return (
    <p class="halts" role="status">
      {halts.map((halt) => (
        <button
          type="button"
          key={`${halt.at} ${halt.value}`}
          title="Remove this breakpoint"
          onClick={() => view.ask({ do: "unbreak", at: halt.at, value: halt.value })}
        >
          ● {halt.at} {halt.at === "action" ? view.nameOf(halt.value) : halt.value.split("/").at(-1)} ✕
        </button>
      ))}
      {reply}
    </p>
  );
}

/** A question of the agent's, with what can be answered. */
export function Question({ view }: { view: RunView }) {
  const [words, setWords] = useState("");
  const { question } = view.timeline.head;
  if (!view.live || question === null) return null;
  const answer = (said: string): void => {
    if (said.trim() !== "") view.ask({ do: "say", words: said.trim() });
    setWords("");
  };
  return (
    <form
      class="question"
      onSubmit={(event) => {
        event.preventDefault();
        answer(words);
      }}
    >
      <b>{text(question.question)}</b>
      {view.canControl ? (
        <>
          {items<string>(question.choices).map((choice) => (
            <button type="button" key={choice} onClick={() => answer(choice)}>
              {choice}
            </button>
          ))}
          <input aria-label="Your answer" placeholder="Your answer" value={words} onInput={(e) => setWords(e.currentTarget.value)} />
          <button type="submit">Answer</button>
        </>
      ) : (
        <span class="faint">Start the viewer with --control to answer here.</span>
      )}
    </form>
  );
}

/** What can happen, as the language of faults says it: docs/scenes.md, "Faults". */
const SURPRISES: Record<string, (name: string, place: string) => string> = {
  "move it to": (name, place) => `move ${name} ${place}`,
  "hide it in": (name, place) => `move ${name} in ${place}`,
  "open it": (name) => `open ${name}`,
  "close it": (name) => `close ${name}`,
  "make it dirty": (name) => `dirty ${name}`,
  "clean it": (name) => `clean ${name}`,
  "switch it on": (name) => `switch on ${name}`,
  "break it (it is gone)": (name) => `remove ${name}`,
};

/** Something in the simulated world that the agent is not told of, so that a guard can catch it. */
export function Surprise({ view }: { view: RunView }) {
  const [kind, setKind] = useState("move it to");
  const [place, setPlace] = useState("");
  const [within, setWithin] = useState("");
  if (!steers(view)) return null;
  const selected = view.thing?.kind === "entity" ? view.thing.id : "";
  const spots = spotsOf(view);
  // What is in a cupboard is not drawn, so that it cannot be clicked on.
  const inside = selected === "" ? [] : spots.filter((spot) => spot.inside === selected).map((spot) => spot.entity.name);
  const name = inside.includes(within) ? within : selected;
  const places = spots.filter((spot) => spot.kind === "furniture").map((spot) => spot.entity.name);
  const target = place || places[0] || "";
  const line = SURPRISES[kind]!(name, target);
  return (
    <form
      class="surprise"
      onSubmit={(event) => {
        event.preventDefault();
        view.ask({ do: "surprise", line });
      }}
    >
      <b>Surprise</b>
      {name === "" ? (
        <span class="faint">Click a thing on the map first; the agent is not told.</span>
      ) : (
        <>
          {inside.length === 0 ? (
            <span>{name}:</span>
          ) : (
            <select aria-label="To what" value={name} onChange={(event) => setWithin(event.currentTarget.value)}>
              {[selected, ...inside].map((each) => (
                <option key={each} value={each}>
                  {each === selected ? each : `${each}, in it`}
                </option>
              ))}
            </select>
          )}
          <select aria-label="What happens" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {Object.keys(SURPRISES).map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
          {line.endsWith(` ${target}`) && (
            <select aria-label="Where to" value={target} onChange={(event) => setPlace(event.currentTarget.value)}>
              {places.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          )}
          <button type="submit">Do it</button>
        </>
      )}
    </form>
  );
}
