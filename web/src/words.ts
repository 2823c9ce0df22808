/** Facts as a person says them, as foretree/revision/expectation.py does for the guards. */

import type { Atom } from "./events";

/** What is said of a robot's own body, and of what is given away. */
const BODY: Record<string, readonly [count: number, say: (args: readonly string[], not: string) => string]> = {
  rob_at_node: [2, ([robot, place], not) => `${robot} is ${not}at ${place}`],
  hand_free: [2, ([robot, hand], not) => `${robot}'s ${hand} is ${not}free`],
  holding: [3, ([robot, hand, thing], not) => `${robot} is ${not}holding ${thing} in ${hand}`],
};

export function sayAtom(atom: Atom, positive = true): string {
  const [name = "", ...args] = atom;
  const not = positive ? "" : "not ";
  const words = name.split("_");
  const first = args[0];
  if (first === undefined) return `${not}${words.join(" ")}`;
  if (name === "class" && args.length === 2) return `${first} is ${not}${/^[aeiou]/.test(args[1]!) ? "an" : "a"} ${args[1]}`;
  if (name === "connected" && args.length === 2) return `the way ${first} – ${args[1]} is ${positive ? "free" : "blocked"}`;
  const body = BODY[name];
  if (body?.[0] === args.length) return body[1](args, not);
  if (words.length > 1 && first.startsWith(words[0]!)) words.shift();
  if (words[0] === "has" || /^[a-z]+[^aius]s$/.test(words[0]!)) {
    return [...(not === "" ? [] : ["not so:"]), first, ...words, ...args.slice(1)].join(" ");
  }
  if ((args.length > 1 && words.at(-1)!.endsWith("ed")) || name === "given") words.push("to");
  return `${first} is ${not}${[...words, ...args.slice(1)].join(" ")}`;
}
