/** The behaviour tree as it is drawn: guards folded into their action, branches folded away, boxes with places. */

import type { RunState, Splice, Status, TreeNode } from "./state";

const GUARDS: Record<string, string> = { Presence: "P", Appearance: "A", Attribute: "T", Relationship: "R" };
export const GUARD_NAMES: Record<string, string> = {
  P: "presence",
  A: "appearance",
  T: "attribute",
  R: "relationship",
};

/** Signs of types of nodes, before their names, and what they say. */
export const SIGNS: Record<string, readonly [sign: string, meaning: string]> = {
  Sequence: ["→", "in order"],
  Selector: ["?", "the first that works"],
  Parallel: ["⇉", "at once"],
  PlanNode: ["☰", "actions of a plan"],
  ChooseTool: ["⌥", "one of these"],
  RetryUntilReached: ["↻", "again until reached"],
  Inverter: ["¬", "the opposite"],
};

const ROW = 30;
const INDENT = 26;
const LONGEST = 380;
const BADGE = 21;
const PADDING = 10;
/** Room for the number of an action, which it gets when it begins. */
const NUMBER = 26;
const ICON = 20;

export type Change = "" | "added" | "removed";

/** A guard that is folded into the box of what it guards. */
export interface Badge {
  readonly letter: string;
  readonly id: string;
}

/** A node on screen. Its status is not in it: that changes with every tick, the box with the structure. */
export interface Box {
  readonly id: string;
  /** The innermost node, which the label is of. */
  readonly inner: string;
  readonly label: string;
  readonly type: string;
  readonly badges: readonly Badge[];
  /** Nodes that are folded away below it; 0 where all are shown. */
  readonly hidden: number;
  readonly foldable: boolean;
  readonly change: Change;
  /** The action that it carries out, if it is one of the plan. */
  readonly action: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly depth: number;
  readonly parent: Box | null;
  readonly children: Box[];
}

export interface TreeLayout {
  readonly boxes: readonly Box[];
  readonly byId: ReadonlyMap<string, Box>;
  readonly width: number;
  readonly height: number;
}

export const BOX_HEIGHT = ROW - 6;

interface Draft {
  id: string;
  nodes: TreeNode[]; // guards first, what they guard last
  children: Draft[];
  hidden: number;
  foldable: boolean;
  change: Change;
}

export interface TreeOptions {
  /** Nodes whose children are folded away. */
  readonly folded: ReadonlySet<string>;
  /** Outermost guards whose chain is shown node by node. */
  readonly unfolded: ReadonlySet<string>;
  /** A change of structure to be shown as a difference. */
  readonly splice: Splice | null;
  readonly measure: (label: string) => number;
}

/** Lay out the tree of *state* as an outline: a line each, children below their parent and further right. */
export function layOut(state: RunState, options: TreeOptions): TreeLayout {
  if (state.root === null) return { boxes: [], byId: new Map(), width: 0, height: 0 };
  const gone = new Map<string, TreeNode>();
  for (const node of options.splice?.removed ?? []) gone.set(node.id, node);
  const root = draft(state.root, state, gone, options);
  if (root === null) return { boxes: [], byId: new Map(), width: 0, height: 0 };
  const boxes: Box[] = [];
  const byId = new Map<string, Box>();
  let width = 0;
  const place = (each: Draft, depth: number, parent: Box | null): void => {
    const { nodes, id, hidden, foldable, change } = each;
    const last = nodes[nodes.length - 1]!;
    const box: Box = {
      id,
      inner: last.id,
      label: labelOf(last),
      type: last.type,
      badges: nodes.slice(0, -1).map((node) => ({ letter: GUARDS[node.type]!, id: node.id })),
      hidden,
      foldable,
      change,
      action: actionOf(nodes),
      x: depth * INDENT,
      y: boxes.length * ROW,
      width: widthOf(each, options.measure),
      depth,
      parent,
      children: [],
    };
    parent?.children.push(box);
    boxes.push(box);
    for (const node of nodes) byId.set(node.id, box);
    width = Math.max(width, box.x + box.width);
    for (const child of each.children) place(child, depth + 1, box);
  };
  place(root, 0, null);
  return { boxes, byId, width, height: boxes.length * ROW };
}

/**
 * Branches beside the one that is at work: tools that the agent has but does not use at the moment. They are folded
 * unless they are *opened*, so that what is done has the room.
 */
export function idleBranches(state: RunState, opened: ReadonlySet<string>): ReadonlySet<string> {
  const idle = new Set<string>();
  for (const node of state.nodes.values()) {
    if (node.type !== "ChooseTool") continue;
    const anew = node.status === "INVALID"; // before the first tick, the first tool is what comes
    node.children.forEach((id, index) => {
      const child = state.nodes.get(id);
      if (child === undefined || child.status !== "INVALID" || child.children.length === 0 || opened.has(id)) return;
      if (!anew || index > 0) idle.add(id);
    });
  }
  return idle;
}

function labelOf(node: TreeNode): string {
  const sign = SIGNS[node.type];
  return sign === undefined ? node.name : `${sign[0]} ${node.name}`;
}

/** What a node says at a moment; one that was taken out says what it said last. */
export function nodeAt(state: RunState, id: string): TreeNode | undefined {
  return state.nodes.get(id) ?? state.splice?.removed.find((node) => node.id === id);
}

/** What a box shows: the status of a node, or that its action was cancelled. */
export type BoxStatus = Status | "CANCELLED";

/** What became of actions whose nodes do not say so: those of a search that is over are stopped before they are ticked. */
const OUTCOMES: Record<string, BoxStatus> = {
  done: "SUCCESS",
  failed: "FAILURE",
  lost: "FAILURE",
  cancelled: "CANCELLED",
};

/** The status of an action with its guards: that of the action, unless a guard has not let it run. */
export function statusOf(state: RunState, box: Box): BoxStatus {
  for (const id of [box.inner, box.id]) {
    const status = nodeAt(state, id)?.status ?? "INVALID";
    if (status !== "INVALID") return status;
  }
  return OUTCOMES[state.actions.get(box.action)?.status ?? ""] ?? "INVALID";
}

/** The status of a guard: it has let the action begin that was carried out, though its node has been stopped since. */
export function statusOfBadge(state: RunState, box: Box, badge: Badge): Status {
  const status = nodeAt(state, badge.id)?.status ?? "INVALID";
  const action = state.actions.get(box.action);
  return status === "INVALID" && action !== undefined && action.status in OUTCOMES ? "SUCCESS" : status;
}

/** The id of the plan's action that the nodes carry out: the part of the path that is below the plan. */
function actionOf(nodes: readonly TreeNode[]): string {
  const last = nodes[nodes.length - 1]!;
  if (last.type !== "Act") return "";
  return nodes[0]!.id.split("/").findLast((part) => /^a\d+$/.test(part)) ?? "";
}

function draft(
  id: string,
  state: RunState,
  gone: ReadonlyMap<string, TreeNode>,
  options: TreeOptions,
): Draft | null {
  const first = state.nodes.get(id) ?? gone.get(id);
  if (first === undefined) return null;
  const removed = !state.nodes.has(id);
  const nodes = [first];
  const childrenOf = (node: TreeNode): readonly string[] => withRemoved(node, state, options.splice);
  if (!options.unfolded.has(id)) {
    let node = first;
    while (node.type in GUARDS) {
      const children = childrenOf(node);
      const only = children.length === 1 ? (state.nodes.get(children[0]!) ?? gone.get(children[0]!)) : undefined;
      if (only === undefined) break;
      nodes.push(only);
      node = only;
    }
  }
  const last = nodes[nodes.length - 1]!;
  const below = childrenOf(last);
  const folded = options.folded.has(id);
  const change: Change = removed ? "removed" : nodes.some((node) => options.splice?.added.has(node.id)) ? "added" : "";
  return {
    id,
    nodes,
    children: folded
      ? []
      : below.map((child) => draft(child, state, gone, options)).filter((each): each is Draft => each !== null),
    hidden: folded ? state.walk(last.id).length - 1 : 0,
    foldable: below.length > 0,
    change,
  };
}

/** The children of a node, with those that a splice took out where they stood, as far as that is known. */
function withRemoved(node: TreeNode, state: RunState, splice: Splice | null): readonly string[] {
  if (splice === null || !state.nodes.has(node.id)) return node.children;
  const left = splice.removed.filter((each) => each.parent === node.id && !state.nodes.has(each.id)).map((each) => each.id);
  if (left.length === 0) return node.children;
  // What came takes the place of what left, so the two stand side by side.
  const at = node.children.findIndex((child) => splice.added.has(child));
  const index = at === -1 ? node.children.length : at;
  return [...node.children.slice(0, index), ...left, ...node.children.slice(index)];
}

function widthOf(each: Draft, measure: (label: string) => number): number {
  const last = each.nodes[each.nodes.length - 1]!;
  const label = Math.min(LONGEST, Math.ceil(measure(labelOf(last))));
  const number = actionOf(each.nodes) === "" ? 0 : NUMBER;
  return ICON + number + label + (each.nodes.length - 1) * BADGE + 2 * PADDING + (each.hidden > 0 ? 44 : 0);
}

export const MEASURES = { PADDING, ICON, BADGE, NUMBER, LONGEST, INDENT };
