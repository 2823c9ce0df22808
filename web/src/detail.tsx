/** Why an action is in the plan and what became of it; what a node is and says. */

import { useMemo } from "preact/hooks";
import type { EventRow } from "./events";
import { phrase, text } from "./events";
import { Happened, marksOf } from "./marks";
import { momentOfReasons, reasonsFor } from "./reasons";
import { Action, actionOfNode, showAction, statusWords } from "./state";
import { Breakpoint } from "./controls";
import type { RunView } from "./view";
import { RevisionTold } from "./revisions";
import { originOf, revisionThat, sentence, whyCancelled } from "./story";

export function Detail({ view }: { view: RunView }) {
  const selected = view.selected;
  if (selected?.kind === "action") {
    const action = view.action(selected.id);
    if (action !== undefined) return <ActionDetail view={view} action={action} />;
    return <Gone view={view} what={selected.id} told="The run has no action of this name." />;
  }
  if (selected?.kind === "event") return <MomentDetail view={view} seq={Number(selected.id)} />;
  if (selected?.kind === "node") return <NodeDetail view={view} id={selected.id} />;
  return null;
}

function Gone({ view, what, told }: { view: RunView; what: string; told: string }) {
  return (
    <aside class="detail" aria-label="Detail">
      <h2>
        {what} <CloseButton view={view} />
      </h2>
      <p>{told}</p>
    </aside>
  );
}

/** All that happened in the tick of an event. */
function MomentDetail({ view, seq }: { view: RunView; seq: number }) {
  const { timeline } = view;
  const row = timeline.rows[timeline.countOf(seq) - 1];
  const marks = row === undefined ? [] : marksOf(view, timeline.countOf(seq));
  if (row === undefined || marks.length === 0) return <Gone view={view} what="Nothing" told="The run has no mark there." />;
  return (
    <aside class="detail" aria-label="What happened">
      <h2>
        What happened at {row[2].toFixed(1)} s <CloseButton view={view} />
      </h2>
      <Happened view={view} marks={marks} />
    </aside>
  );
}

/** The story of an action in the whole run, whichever moment is on screen. */
function ActionDetail({ view, action }: { view: RunView; action: Action }) {
  const { timeline } = view;
  const checks = distinct(timeline.of("guard.checked").filter((row) => row[4].action === action.id));
  const discrepancies = timeline.of("discrepancy.found").filter((row) => row[4].action === action.id);
  const about = new Set(discrepancies.map((row) => row[4].id));
  const revisions = timeline
    .of("revision.made")
    .filter((row) => about.has(row[4].discrepancy) || concerns(row, action.id));
  const planned = momentOfReasons(view, action.id);
  const reasons = useMemo(() => reasonsFor(view, timeline.stateAfter(planned), action.id), [view, action.id, planned]);
  const dropped = timeline.head.actions.get(action.id)?.status === "dropped";
  return (
    <aside class="detail" aria-label={`Why ${showAction(action)}`}>
      <h2>
        {view.nameOf(action.id)}{" "}
        <span class="id" title="Its name in the record, in the address and in the terminal">
          {action.id}
        </span>{" "}
        <CloseButton view={view} />
      </h2>
      <Outcome view={view} action={action} />
      <h3>{dropped ? "Why it was planned" : "Why it is done"}</h3>
      <ul>
        {reasons.map((line) => (
          <li key={line}>{line}</li>
        ))}
        <li class="faint">{originOf(view, action.id)}</li>
      </ul>
      {discrepancies.map((row) => (
        <p key={row[0]} class="discrepancy">
          ▲ {row[2].toFixed(1)} s: {text(row[4].sentence)}
        </p>
      ))}
      {revisions.map((row) => (
        <RevisionTold key={row[0]} view={view} row={row} />
      ))}
      {checks.length > 0 && <Checks view={view} checks={checks} />}
    </aside>
  );
}

/** What an action is at the moment on screen, what came of it later, and the ways to its start and its end. */
function Outcome({ view, action }: { view: RunView; action: Action }) {
  const { timeline, count } = view;
  const last = timeline.head.actions.get(action.id) ?? action;
  const ahead = action.status !== last.status && last.status !== "planned" && last.status !== "intended";
  const [start, end] = [timeline.startOf(action.id), timeline.endOf(action.id)];
  // The revision that took it out tells why, below.
  const told = last.status === "dropped" && revisionThat(view, "removed", action.id) !== undefined;
  const way = (to: number | null, where: string) =>
    to !== null &&
    to !== count && (
      <button type="button" onClick={() => (where === "start" ? view.gotoAction(action.id) : view.goto(to))}>
        Go to its {where} ({timeline.timeAt(to).toFixed(1)} s)
      </button>
    );
  return (
    <>
      <p class="outcome">
        <b class={`badge ${action.status}`}>{action.status}</b>
        {action.started !== null && <span>from {action.started.toFixed(1)} s</span>}
        {action.ended !== null && <span>to {action.ended.toFixed(1)} s</span>}
        {ahead && (
          <span class="faint">
            later {last.status}
            {last.ended === null ? "" : ` at ${last.ended.toFixed(1)} s`}
          </span>
        )}
        {way(start, "start")}
        {way(end, "end")}
        <Breakpoint view={view} kind="action" value={action.id} />
      </p>
      {last.reason && !told && <p>{sentence(`${last.status[0]!.toUpperCase()}${last.status.slice(1)}: ${last.reason}`)}</p>}
      {whyCancelled(view, action.id).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </>
  );
}

function Checks({ view, checks }: { view: RunView; checks: readonly EventRow[] }) {
  return (
    <>
      <h3>What its guards checked</h3>
      <table>
        <thead>
          <tr>
            <th>Guard</th>
            <th>Expected</th>
            <th>Believed</th>
          </tr>
        </thead>
        <tbody>
          {checks.map((row) => (
            <tr key={row[0]} class={row[4].passed ? "true" : "false"}>
              <td>
                {row[4].passed ? "✓" : "✕"} {text(row[4].guard)}{" "}
                <button type="button" class="link" onClick={() => view.gotoEvent(row[0])}>
                  {row[2].toFixed(1)} s
                </button>
              </td>
              <td>{phrase(row[4].expected)}</td>
              <td>{phrase(row[4].believed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function concerns(row: EventRow, id: string): boolean {
  return (row[4].removed ?? []).includes(id) || (row[4].added ?? []).some((each: { id: string }) => each.id === id);
}

/** Of equal checks by the same guard in a row, the first: a condition that is watched says the same many times. */
function distinct(rows: readonly EventRow[]): EventRow[] {
  const last = new Map<string, string>();
  return rows.filter((row) => {
    const said = JSON.stringify([row[4].passed, row[4].expected, row[4].believed]);
    const same = last.get(row[4].guard) === said;
    last.set(row[4].guard, said);
    return !same;
  });
}

function NodeDetail({ view, id }: { view: RunView; id: string }) {
  const node = view.state.nodes.get(id) ?? view.state.splice?.removed.find((each) => each.id === id);
  if (node === undefined) return <Gone view={view} what={id.split("/").at(-1) ?? id} told="Not in the tree at this moment." />;
  const history = view.timeline
    .of("tree.changed", view.state.seq)
    .filter((row) => row[4].status?.[id] !== undefined)
    .slice(-30);
  const checks = node.type.match(/^(Presence|Appearance|Attribute|Relationship)$/) !== null;
  return (
    <aside class="detail" aria-label="Detail">
      <h2>
        {node.name} <CloseButton view={view} />
      </h2>
      <p>
        <b class={`badge ${node.status}`}>{statusWords(node.status)}</b> {node.type}
        {node.message && `: ${node.message}`} {checks ? (
          <Breakpoint view={view} kind="guard" value={`${actionOfNode(id)} ${node.type.toLowerCase()}`} />
        ) : (
          <Breakpoint view={view} kind="node" value={id} />
        )}
      </p>
      <p class="faint path">{id}</p>
      <h3>Its statuses</h3>
      {history.length === 0 && <p class="empty">It has not been ticked.</p>}
      <ol>
        {history.map((row) => (
          <li key={row[0]}>
            <button type="button" class="link" onClick={() => view.gotoEvent(row[0])}>
              {row[2].toFixed(1)} s
            </button>{" "}
            {statusWords(text(row[4].status[id][0]))} {text(row[4].status[id][1])}
          </li>
        ))}
      </ol>
    </aside>
  );
}

function CloseButton({ view }: { view: RunView }) {
  return (
    <button type="button" class="close" aria-label="Close" onClick={() => view.select(null)}>
      ✕
    </button>
  );
}
