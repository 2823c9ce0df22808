/** State of a run at one moment: its events, added up, as foretree/runs/views/run_state.py adds them up. */

import { CameraImage, cameraImage } from "./camera_image";
import { Atom, EventRow, Json, items, phrase, text } from "./events";

export type Status = "SUCCESS" | "FAILURE" | "RUNNING" | "INVALID";

/** A node of the behaviour tree. Never changed in place, so that states can share nodes. */
export interface TreeNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly parent: string | null;
  readonly children: readonly string[];
  readonly status: Status;
  readonly message: string;
}

/** An action and what became of it. Never changed in place. */
export interface Action {
  readonly id: string;
  readonly skill: string;
  readonly arguments: readonly string[];
  readonly cost: number;
  /** planned, intended, running, done, failed, cancelled, lost, skipped, or dropped by a revision. */
  readonly status: string;
  readonly reason: string;
  readonly ordinal: number | null;
  readonly started: number | null;
  readonly ended: number | null;
}

export interface Fact {
  readonly atom: Atom;
  readonly truth: "true" | "false" | "unknown";
  readonly confidence: number;
  readonly source: string;
  /** The event that said so last. */
  readonly seq: number;
  /** The event since which it is so: looks that only confirm it change nothing. */
  readonly since: number;
}

/** The id of the action that a node carries out or guards: the part of its path below the plan. */
export function actionOfNode(id: string): string {
  return id.split("/").findLast((part) => /^a\d+$/.test(part)) ?? "";
}

/** Predicates that say how things are at a moment. */
const STATES = new Set(["open", "turned_on", "hand_free"]);

/** Whether a fact follows from the map or from what a thing is: of little interest beside where it is and how. */
export function isGiven(fact: Fact): boolean {
  if (STATES.has(fact.atom[0] ?? "")) return false; // although a class may say it, or the map from the start
  return fact.source === "map" || fact.source === "class" || fact.atom[0] === "class";
}

export interface Entity {
  readonly name: string;
  readonly class: string;
  readonly score: number;
  readonly fixed: boolean;
  readonly pose: readonly number[] | null;
}

/** A value on the blackboard. */
export interface Entry {
  readonly value: string;
  readonly seq: number;
}

/** The last change of the tree's structure, so that it can be shown as a difference. */
export interface Splice {
  readonly seq: number;
  readonly below: string;
  /** Nodes that left, with all below them, parents first. */
  readonly removed: readonly TreeNode[];
  readonly added: ReadonlySet<string>;
  /** Whether it carries out a revision: a first plan and another goal's are no difference to one before. */
  readonly revises: boolean;
  /** Whether a program has edited its own tree, with all that it did in the same tick. */
  readonly edits: boolean;
  readonly tick: number;
}

/** A status in words: to py_trees, a node that has not been ticked is invalid, which to a reader sounds like a mistake. */
export function statusWords(status: string): string {
  return status === "INVALID" ? "not run" : status.toLowerCase();
}

export function showAction(action: { skill: string; arguments: readonly string[] }): string {
  return `${action.skill}(${action.arguments.join(", ")})`;
}

/**
 * An action without what goes without saying: the only robot, its hands and, of a way from one place to another, where
 * it begins.
 */
export function shortAction(state: RunState, action: { skill: string; arguments: readonly string[] }): string {
  const robot = text(state.started.robot);
  const kind = (name: string): string => state.entities.get(name)?.class ?? "";
  const all = action.arguments.filter((name) => name !== robot && kind(name) !== "hand");
  const said = all.filter((name, index) => all.indexOf(name) === index);
  const isWay = said.length === 2 && said.every((name) => state.entities.get(name)?.fixed);
  return [action.skill.replaceAll("_", " "), ...(isWay ? ["→", said[1]!] : said)].join(" ");
}

export class RunState {
  seq = 0;
  tick = 0;
  time = 0;
  started: Json = {};
  goal = "";
  how = "";
  answer = "";
  nodes = new Map<string, TreeNode>();
  root: string | null = null;
  plan: string[] = [];
  order = new Map<string, readonly string[]>();
  links: (readonly [string, Json, string])[] = [];
  planned: Json | null = null;
  actions = new Map<string, Action>();
  facts = new Map<string, Fact>();
  entities = new Map<string, Entity>();
  /** Where each robot is, or was last: under way, it is believed to be nowhere. */
  stands = new Map<string, string>();
  /** The py_trees blackboard: key -> value as text, and the event that said so. */
  blackboard = new Map<string, Entry>();
  asking = "";
  question: Json | null = null;
  looking = new Map<string, string>();
  /** The newest camera image; null before there is any. */
  camera: CameraImage | null = null;
  paused = false;
  ended: Json | null = null;
  splice: Splice | null = null;
  /** Seq of the last discrepancy and of the last revision; 0 before. */
  discrepancy = 0;
  revision = 0;
  /** Nodes whose status changed in this tick. */
  touched = new Set<string>();

  /** A copy that can go on by itself. Nodes, actions and facts are shared, since they never change. */
  copy(): RunState {
    const other: RunState = Object.assign(new RunState(), this);
    other.nodes = new Map(this.nodes);
    other.plan = [...this.plan];
    other.order = new Map(this.order);
    other.links = [...this.links];
    other.actions = new Map(this.actions);
    other.facts = new Map(this.facts);
    other.entities = new Map(this.entities);
    other.stands = new Map(this.stands);
    other.blackboard = new Map(this.blackboard);
    other.looking = new Map(this.looking);
    other.touched = new Set(this.touched);
    return other;
  }

  apply([seq, tick, time, kind, data]: EventRow): void {
    if (tick > this.tick) {
      this.paused = false; // a paused session does not tick, so a new tick means that it goes on
      this.touched.clear();
    }
    this.seq = seq;
    this.tick = tick;
    this.time = time;
    CHANGES[kind]?.(this, data ?? {}, seq);
  }

  /** The node and all below it, parents first, children in order. */
  walk(start: string | null = this.root): TreeNode[] {
    const found: TreeNode[] = [];
    const stack = start === null ? [] : [start];
    while (stack.length > 0) {
      const node = this.nodes.get(stack.pop()!);
      if (node === undefined) continue;
      found.push(node);
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]!);
    }
    return found;
  }

  describe(action: string): string {
    const known = this.actions.get(action);
    return known === undefined ? action : showAction(known);
  }
}

type Change = (state: RunState, data: Json, seq: number) => void;

function put(state: RunState, raw: Json): TreeNode {
  const node: TreeNode = {
    id: raw.id,
    name: text(raw.name),
    type: text(raw.type),
    parent: raw.parent ?? null,
    children: [],
    status: "INVALID",
    message: "",
  };
  state.nodes.set(node.id, node);
  return node;
}

function setChildren(state: RunState, id: string, children: readonly string[]): void {
  const node = state.nodes.get(id);
  if (node !== undefined) state.nodes.set(id, { ...node, children });
}

function build(state: RunState, data: Json, seq: number): void {
  state.nodes = new Map();
  state.root = null;
  const children = new Map<string, string[]>();
  for (const raw of items(data.nodes)) {
    const node = put(state, raw);
    if (node.parent === null) state.root ??= node.id; // a node that stands in the tree twice has no parent at first
    else if (state.nodes.has(node.parent)) {
      const siblings = children.get(node.parent);
      if (siblings === undefined) children.set(node.parent, [node.id]);
      else siblings.push(node.id);
    }
  }
  for (const [id, below] of children) setChildren(state, id, below);
  state.splice = { seq, below: "", removed: [], added: new Set(), revises: false, edits: false, tick: state.tick };
}

function spliceTree(state: RunState, data: Json, seq: number): void {
  const removed: TreeNode[] = [];
  for (const name of items<string>(data.removed)) {
    const gone = state.walk(name);
    const parent = gone[0]?.parent;
    const above = parent ? state.nodes.get(parent) : undefined;
    if (above !== undefined) setChildren(state, above.id, above.children.filter((child) => child !== name));
    for (const node of gone) state.nodes.delete(node.id);
    removed.push(...gone);
  }
  const added = new Set<string>();
  for (const raw of items(data.added)) {
    const node = put(state, raw);
    added.add(node.id);
    const above = node.parent === null ? undefined : state.nodes.get(node.parent);
    if (above !== undefined && !above.children.includes(node.id)) {
      setChildren(state, above.id, [...above.children, node.id]);
    }
  }
  if (Array.isArray(data.order)) {
    setChildren(state, text(data.below), (data.order as string[]).filter((name) => state.nodes.has(name)));
  }
  const below = text(data.below);
  const revises = state.revision > (state.splice?.seq ?? 0);
  const edits = !revises && isEdit(state, below);
  const former = state.splice;
  if (edits && former?.edits && former.tick === state.tick) {
    const left = removed.filter((node) => !former.added.has(node.id));
    removed.splice(0, removed.length, ...former.removed.filter((node) => !added.has(node.id)), ...left);
    for (const id of former.added) if (state.nodes.has(id)) added.add(id);
  }
  state.splice = { seq, below, removed, added, revises, edits, tick: state.tick };
}

/** Whether a change below a node is an edit of a program's own tree: below a plan node, a plan came or was revised. */
function isEdit(state: RunState, below: string): boolean {
  return state.started.own_tree === true && state.nodes.get(below)?.type !== "PlanNode";
}

function putAction(state: RunState, raw: Json): string {
  const id = text(raw?.id);
  const former = state.actions.get(id);
  if (former === undefined || former.status === "dropped") {
    state.actions.set(id, {
      id,
      skill: text(raw?.skill),
      arguments: items<string>(raw?.arguments),
      cost: typeof raw?.cost === "number" ? raw.cost : 1,
      status: "planned",
      reason: "",
      ordinal: null,
      started: null,
      ended: null,
    });
  }
  return id;
}

function change(state: RunState, id: string, what: Partial<Action>): void {
  const action = state.actions.get(id);
  if (action !== undefined) state.actions.set(id, { ...action, ...what });
}

function drop(state: RunState, id: string, reason: string): void {
  const status = state.actions.get(id)?.status;
  // One that runs is still going to end: its own event will say how.
  if (status === "planned" || status === "intended") change(state, id, { status: "dropped", reason });
}

function planMade(state: RunState, data: Json): void {
  // What is finished stays, and what the robot is still doing: its end is going to be reported.
  const begun = state.plan.filter((id) => state.actions.get(id)!.status !== "planned");
  const coming = items(data.actions).map((raw) => putAction(state, raw));
  for (const id of state.plan) {
    if (!coming.includes(id) && state.actions.get(id)!.status === "planned") {
      drop(state, id, "another plan was made");
    }
  }
  state.planned = data;
  state.plan = [...begun.filter((id) => !coming.includes(id)), ...coming];
  state.order = new Map(Object.entries(data.order ?? {}));
  state.links.push(...items(data.links));
}

function revisionMade(state: RunState, data: Json, seq: number): void {
  const removed = items<string>(data.removed).map(String);
  const kept = items<string>(data.kept).map(String);
  for (const id of removed) drop(state, id, text(data.why));
  const added = items(data.added).map((raw) => putAction(state, raw));
  const changed = new Set([...kept, ...added, ...removed]);
  const past = state.plan.filter((id) => !changed.has(id));
  // A revision that does not say the order of what remains put what it added before what it kept.
  const sequence = items<string>(data.sequence).map(String);
  const remaining = sequence.length > 0 ? sequence : [...added, ...kept];
  state.plan = [...past, ...remaining.filter((id) => state.actions.has(id))];
  for (const [id, before] of Object.entries(data.order ?? {})) state.order.set(id, items(before));
  state.links.push(...items(data.links));
  state.asking = "";
  state.revision = seq;
}

function intent(state: RunState, data: Json): void {
  const id = putAction(state, data.action);
  if (!state.plan.includes(id)) state.plan.push(id);
  let ordinal = state.actions.get(id)!.ordinal;
  if (ordinal === null) {
    ordinal = 1;
    for (const other of state.actions.values()) if (other.ordinal !== null) ordinal++;
  }
  change(state, id, { status: "intended", ordinal });
}

const CHANGES: Record<string, Change> = {
  "run.started": (state, data) => {
    state.started = data;
    state.goal = state.goal || text(data.goal);
  },
  "run.ended": (state, data) => {
    state.ended = data;
    state.asking = "";
    state.question = null;
    state.looking.clear();
  },
  "goal.set": (state, data) => {
    state.goal = text(data.goal);
    state.how = text(data.how);
    state.answer = text(data.answer);
  },
  "plan.made": planMade,
  "tree.built": build,
  "tree.spliced": spliceTree,
  "tree.changed": (state, data) => {
    for (const [id, [status, message]] of Object.entries<Json>(data.status ?? {})) {
      const node = state.nodes.get(id);
      if (node === undefined) continue;
      state.nodes.set(id, { ...node, status, message: message ?? "" });
      state.touched.add(id);
    }
  },
  "blackboard.changed": (state, data, seq) => {
    for (const [key, value] of Object.entries(data.values ?? {})) state.blackboard.set(key, { value: text(value), seq });
    for (const key of items<string>(data.removed)) state.blackboard.delete(key);
  },
  "belief.changed": (state, data, seq) => {
    for (const [atom, truth, confidence, source] of items<Json>(data.facts)) {
      const key = (atom as Atom).join(" ");
      const before = state.facts.get(key);
      const since = before?.truth === truth ? before!.since : seq;
      state.facts.set(key, { atom, truth, confidence, source, seq, since });
      if (atom[0] === "rob_at_node" && truth === "true") state.stands.set(text(atom[1]), text(atom[2]));
    }
  },
  "entity.changed": (state, data) => {
    for (const entity of items<Entity>(data.entities)) state.entities.set(entity.name, entity);
  },
  "camera.seen": (state, data, seq) => void (state.camera = cameraImage(data, seq, state.time)),
  "look.started": (state, data) => void state.looking.set(text(data.execution), phrase(data.at)),
  "look.ended": (state, data) => void state.looking.delete(text(data.execution)),
  "discrepancy.found": (state, _, seq) => void (state.discrepancy = seq),
  "revision.asked": (state, data) => void (state.asking = text(data.reviser)),
  "revision.rejected": (state) => void (state.asking = ""),
  "revision.made": revisionMade,
  "action.intent": intent,
  "action.started": (state, data) => change(state, text(data.action), { status: "running", started: state.time }),
  "action.ended": (state, data) =>
    change(state, text(data.action), {
      status: text(data.outcome) || "done",
      reason: text(data.reason),
      ended: state.time,
    }),
  "action.skipped": (state, data) =>
    change(state, text(data.action), { status: "skipped", reason: text(data.why), ended: state.time }),
  "person.asked": (state, data) => void (state.question = data),
  "person.said": (state) => void (state.question = null),
  "session.paused": (state) => void (state.paused = true),
  "session.continued": (state) => void (state.paused = false),
  "session.resumed": (state) => void (state.paused = false),
};

