/** What is believed of the thing that is chosen on the map. */

import { Fact, isGiven } from "./state";
import type { RunView } from "./view";
import { sayAtom } from "./words";

/** What is worth saying of a thing where it is not so, too. */
const SAID_EITHER_WAY = new Set(["open", "turned_on"]);

export function Facts({ view, name }: { view: RunView; name: string }) {
  const facts = [...view.state.facts.values()].filter(
    (fact) => fact.atom.includes(name) && (fact.truth !== "false" || SAID_EITHER_WAY.has(fact.atom[0] ?? "")),
  );
  const [plain, more] = [facts.filter((fact) => !isGiven(fact)), facts.filter(isGiven)];
  return (
    <section class="facts">
      <b>{name}</b>{" "}
      <button type="button" class="close" aria-label={`Close ${name}`} onClick={() => view.forgetThing()}>
        ✕
      </button>
      <Sentences facts={plain} />
      {more.length > 0 && (
        <details>
          <summary>{more.length} from the map and from what it is</summary>
          <Sentences facts={more} />
        </details>
      )}
    </section>
  );
}

function Sentences({ facts }: { facts: readonly Fact[] }) {
  return (
    <p>
      {facts.map((fact) => (
        <span key={fact.atom.join(" ")} class={`fact ${fact.truth}`}>
          {fact.truth === "unknown" ? `unknown whether ${sayAtom(fact.atom)}` : sayAtom(fact.atom, fact.truth === "true")}
        </span>
      ))}
    </p>
  );
}
