/** What was said and thought: instruction, goal, tools chosen, questions, and each exchange with a model. */

import type { EventRow, Json } from "./events";
import { phrase, text } from "./events";
import { Exchanged } from "./revisions";
import { reasonOf } from "./story";
import type { RunView } from "./view";

const KINDS = ["goal.set", "agent.chose", "revision.made", "model.answered", "person.said", "person.asked", "person.told", "people.disagree"];

export function ReasonerPanel({ view }: { view: RunView }) {
  const rows = KINDS.flatMap((kind) => view.timeline.of(kind, view.state.seq)).sort((a, b) => a[0] - b[0]);
  const models = view.timeline.of("model.answered", view.state.seq);
  const sum = (of: (data: Json) => unknown): number =>
    models.reduce((total, row) => total + (Number(of(row[4])) || 0), 0);
  const tokens = sum((data) => data.reply?.tokens ?? data.tokens);
  const cost = sum((data) => data.reply?.cost ?? data.cost);
  return (
    <div class="reasoner">
      <p class="figures">
        <span>
          {models.length === 0 ? "no model was asked" : `${models.length} ${models.length === 1 ? "question" : "questions"} to models`}
        </span>
        {tokens > 0 && <span>{tokens} tokens</span>}
        {cost > 0 && <span>cost {cost.toFixed(4)}</span>}
      </p>
      <ol class="talk">
        <li class="person">
          <b>Person</b> {view.state.started.instruction || view.info?.instruction || ""}
        </li>
        {rows.map((row) => (
          <Exchange key={row[0]} view={view} row={row} />
        ))}
      </ol>
      {view.state.answer && <p class="answer">{view.state.answer}</p>}
    </div>
  );
}

function Exchange({ view, row }: { view: RunView; row: EventRow }) {
  const [, , time, kind, data] = row;
  const when = (
    <button type="button" class="link when" onClick={() => view.gotoEvent(row[0])}>
      {time.toFixed(1)} s
    </button>
  );
  switch (kind) {
    case "goal.set":
      return (
        <li>
          {when} <b>Goal</b> {text(data.how)} <code>{text(data.goal)}</code>
        </li>
      );
    case "agent.chose":
      return (
        <li>
          {when} <b>Tool: {text(data.tool)}</b> {text(data.why)}
        </li>
      );
    case "revision.made":
      return (
        <li>
          {when} <b>Revision by {text(data.reviser)}</b> {reasonOf(data)}
          <Exchanged view={view} revision={data} />
        </li>
      );
    case "person.said":
      return (
        <li class="person">
          {when} <b>{text(data.by) || "Person"}</b> {text(data.words)}
        </li>
      );
    case "person.asked":
      return (
        <li class="asked">
          {when} <b>Question</b> {text(data.question)} {phrase(data.choices) && `(${phrase(data.choices)})`}
        </li>
      );
    case "person.told":
      return (
        <li>
          {when} <b>To {text(data.to) || "the person"}</b> {text(data.text)}
        </li>
      );
    case "people.disagree":
      return (
        <li>
          {when} <b>Disagreement</b> {phrase(data.earlier)} / {phrase(data.later)}
        </li>
      );
    default:
      return <ModelExchange when={when} data={data} />;
  }
}

function ModelExchange({ when, data }: { when: Json; data: Json }) {
  const reply = data.reply ?? {};
  return (
    <li class="model">
      {when} <b>Model {text(data.model)}</b> {text(data.purpose)}
      <span class="figures">
        {reply.tokens !== undefined && <span>{text(reply.tokens)} tokens</span>}
        {(reply.cost ?? data.cost) !== undefined && <span>cost {text(reply.cost ?? data.cost)}</span>}
        {(reply.seconds ?? data.wall?.seconds) !== undefined && <span>{text(reply.seconds ?? data.wall?.seconds)} s</span>}
      </span>
      <details>
        <summary>Question</summary>
        <pre>{typeof data.question === "string" ? data.question : JSON.stringify(data.question, null, 1)}</pre>
      </details>
      <details open>
        <summary>Reply</summary>
        <pre>{typeof reply.text === "string" ? reply.text : JSON.stringify(reply, null, 1)}</pre>
      </details>
    </li>
  );
}
