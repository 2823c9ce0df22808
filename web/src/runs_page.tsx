/** All runs: search, filter, open one, compare two. */

import { useEffect, useState } from "preact/hooks";
import { compareAddress, runAddress } from "./link";
import type { RunInfo } from "./view";

interface Listing {
  readonly runs: readonly RunInfo[];
  readonly notes: readonly string[];
}

/** Seconds between two looks at the list of runs. */
const PERIOD = 3;

export function RunsPage() {
  const [listing, setListing] = useState<Listing | null>(null);
  const [trouble, setTrouble] = useState("");
  const [sought, setSought] = useState("");
  const [outcome, setOutcome] = useState("");
  const [scene, setScene] = useState("");
  const [day, setDay] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  useEffect(() => {
    document.title = "Runs · Foretree";
    let over = false;
    const load = async (): Promise<void> => {
      try {
        const answer = await fetch("runs");
        const said: unknown = await answer.json();
        if (over) return;
        if (answer.ok) setListing(said as Listing);
        setTrouble(answer.ok ? "" : String((said as { error?: string }).error ?? answer.statusText));
      } catch {
        if (!over) setTrouble("The server does not answer.");
      }
      if (!over) setTimeout(() => void load(), PERIOD * 1000);
    };
    void load();
    return () => void (over = true);
  }, []);
  if (listing === null) return <p class="empty">{trouble || "Reading the runs…"}</p>;
  const words = sought.trim().toLowerCase();
  const shown = [...listing.runs]
    .reverse()
    .filter(
      (run) =>
        (words === "" || `${run.instruction} ${run.id} ${run.scene}`.toLowerCase().includes(words)) &&
        (outcome === "" || standing(run) === outcome) &&
        (scene === "" || run.scene === scene) &&
        (day === "" || localDay(run.started) === day),
    );
  const all = (of: (run: RunInfo) => string): string[] => [...new Set(listing.runs.map(of))].filter(Boolean).sort();
  const choose = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <div class="runs">
      <header>
        <h1>Runs</h1>
        <input
          type="search"
          placeholder="Instruction, scene or id"
          aria-label="Search runs"
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
        <Choice name="outcome" value={outcome} values={all(standing)} onChange={setOutcome} />
        <Choice name="scene" value={scene} values={all((run) => run.scene)} onChange={setScene} />
        <input type="date" aria-label="Day" value={day} onInput={(event) => setDay(event.currentTarget.value)} />
        {chosen.length === 2 ? (
          <a class="button" href={compareAddress(chosen[0]!, chosen[1]!)}>
            Compare the two
          </a>
        ) : (
          <span class="faint">Tick two runs to compare them.</span>
        )}
      </header>
      {trouble !== "" && <p class="trouble">{trouble}</p>}
      {listing.runs.length === 0 && (
        <p class="empty">
          No runs yet. <code>foretree run "put the mango into the fridge" --scene kitchen</code> makes one.
        </p>
      )}
      {listing.runs.length > 0 && shown.length === 0 && <p class="empty">No run fits these filters.</p>}
      {shown.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>
                <span class="hidden">Compare</span>
              </th>
              <th>Instruction</th>
              <th>Outcome</th>
              <th>Scene</th>
              <th>Begun</th>
              <th class="number">Took</th>
              <th class="number" title="Actions that the robot was told to do">Actions</th>
              <th class="number" title="Times that the plan was rewritten">Revisions</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((run) => (
              <tr key={run.id}>
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Compare ${run.id}`}
                    checked={chosen.includes(run.id)}
                    disabled={chosen.length === 2 && !chosen.includes(run.id)}
                    title={chosen.length === 2 && !chosen.includes(run.id) ? "Two are ticked: untick one first" : undefined}
                    onChange={() => choose(run.id)}
                  />
                </td>
                <td>
                  <a href={runAddress(run.id)}>{run.instruction || run.id}</a>
                  <code class="id">{run.id}</code>
                </td>
                <td>
                  <span class={`badge ${standing(run)}`}>{standing(run)}</span>
                </td>
                <td>{run.scene}</td>
                <td>{new Date(run.started * 1000).toLocaleString()}</td>
                <td class="number">{run.seconds.toFixed(1)} s</td>
                <td class="number">{run.actions ?? "…"}</td>
                <td class="number">{run.revisions ? <b class="revised">{run.revisions}</b> : (run.revisions ?? "…")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {listing.notes.map((note) => (
        <p key={note} class="faint">
          Skipped: {note}
        </p>
      ))}
    </div>
  );
}

function standing(run: RunInfo): string {
  return run.outcome || run.status;
}

function localDay(seconds: number): string {
  const at = new Date(seconds * 1000);
  return `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, "0")}-${String(at.getDate()).padStart(2, "0")}`;
}

function Choice(props: { name: string; value: string; values: readonly string[]; onChange: (value: string) => void }) {
  return (
    <select aria-label={props.name} value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
      <option value="">every {props.name}</option>
      {props.values.map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </select>
  );
}
