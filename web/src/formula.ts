/** Goals: PDDL formulas as lists, and whether they hold in what is believed. */

import type { Fact } from "./state";

export type Formula = [string, ...(Formula | string)[]];

/** The formula that *words* write; null if they do not write one. */
export function readFormula(words: string): Formula | null {
  const tokens = words.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const read = (): Formula | string | null => {
    const token = tokens[at++];
    if (token === undefined || token === ")") return null;
    if (token !== "(") return token;
    const list: (Formula | string)[] = [];
    while (tokens[at] !== ")") {
      const each = read();
      if (each === null) return null;
      list.push(each);
    }
    at++;
    return list as Formula;
  };
  const formula = read();
  return Array.isArray(formula) && at === tokens.length ? formula : null;
}

/** The parts of a goal that all have to hold; none of what is no formula. */
export function partsOf(goal: string): readonly (Formula | string)[] {
  const formula = readFormula(goal);
  if (formula === null) return [];
  return formula[0] === "and" ? formula.slice(1) : [formula];
}

export function showFormula(formula: Formula | string): string {
  return typeof formula === "string" ? formula : `(${formula.map((each) => showFormula(each)).join(" ")})`;
}

/** Whether a formula holds; null where that is not known, and where a quantifier is not shown to hold by one thing. */
export function holds(formula: Formula | string, facts: ReadonlyMap<string, Fact>): boolean | null {
  if (typeof formula === "string") return null;
  const [head, ...rest] = formula;
  if (head === "and" || head === "or") {
    const stops = head === "or"; // one part decides it
    const parts = rest.map((part) => holds(part, facts));
    return parts.includes(stops) ? stops : parts.includes(null) ? null : !stops;
  }
  if (head === "not") {
    const inner = holds(rest[0] ?? "", facts);
    return inner === null ? null : !inner;
  }
  if (head === "exists") return isShown(rest[0] ?? "", rest[1] ?? "", facts) ? true : null;
  if (head === "=") return rest[0] === rest[1];
  if (rest.some((part) => typeof part !== "string" || part.startsWith("?"))) return null;
  const fact = facts.get([head, ...rest].join(" "));
  if (fact !== undefined && fact.truth !== "unknown") return fact.truth === "true";
  return isElsewhere(head, rest as string[], facts) ? false : null;
}

/** Whether things of the right classes are known for which a formula holds. */
function isShown(variables: Formula | string, body: Formula | string, facts: ReadonlyMap<string, Fact>): boolean {
  if (typeof variables === "string") return false;
  const [variable, dash, type, ...others] = variables as string[];
  if (variable === undefined) return holds(body, facts) === true;
  if (dash !== "-" || type === undefined) return false;
  const things = new Set<string>();
  for (const { atom, truth } of facts.values()) {
    if (atom[0] === "class" && atom[2] === type && truth === "true" && atom[1] !== undefined) things.add(atom[1]);
  }
  return [...things].some((thing) => {
    const said = replaced(body, variable, thing);
    return others.length === 0 ? holds(said, facts) === true : isShown(others as unknown as Formula, said, facts);
  });
}

function replaced(formula: Formula | string, variable: string, thing: string): Formula | string {
  if (typeof formula === "string") return formula === variable ? thing : formula;
  return formula.map((each) => replaced(each, variable, thing)) as Formula;
}

/** Predicates that say where a thing is, and which of their arguments it is: it is in one place alone. */
const WHEREABOUTS: Record<string, number> = { on: 0, in: 0, under: 0, hung_on: 0, given: 0, holding: -1, rob_at_node: 0 };

function isElsewhere(predicate: string, args: readonly string[], facts: ReadonlyMap<string, Fact>): boolean {
  const index = WHEREABOUTS[predicate];
  const thing = index === undefined ? undefined : args.at(index);
  if (thing === undefined) return false;
  for (const fact of facts.values()) {
    const [other = "", ...rest] = fact.atom;
    if (fact.truth === "true" && other in WHEREABOUTS && rest.at(WHEREABOUTS[other]!) === thing) return true;
  }
  return false;
}
