/** The behaviour tree: pan, zoom, fold, search, and what a revision has changed. */

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { measure } from "./measure";
import { Camera, drawTree, readPalette } from "./tree_canvas";
import { RunState, statusWords } from "./state";
import { BOX_HEIGHT, Box, GUARD_NAMES, SIGNS, MEASURES, TreeLayout, idleBranches, layOut, nodeAt, statusOf, statusOfBadge } from "./tree_layout";
import { Revisions } from "./revisions";
import { useTheme } from "./theme";
import type { RunView, Selection } from "./view";

/** Milliseconds within which browsers take two clicks for a double one, with some to spare. */
const LONGEST_DOUBLE_CLICK = 1000;
/** Pixels that lie between both clicks at most. */
const WIDEST_DOUBLE_CLICK = 8;

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const other = new Set(set);
  if (!other.delete(id)) other.add(id);
  return other;
}

/** The node that is deepest among those that run: where the tree is at work. When none runs, what it did last. */
function atWork(layout: TreeLayout, state: RunState): Box | null {
  let found: Box | null = null;
  let last: Box | null = null;
  let latest = 0;
  for (const box of layout.boxes) {
    if ((found === null || box.depth >= found.depth) && statusOf(state, box) === "RUNNING") found = box;
    const ordinal = (box.action === "" ? null : state.actions.get(box.action)?.ordinal) ?? 0;
    if (ordinal > latest) [last, latest] = [box, ordinal];
  }
  return found ?? last;
}

/** @param top the node that stays at the upper edge, instead of keeping in view what runs: two trees are compared so. */
export function TreePanel({ view, top = null }: { view: RunView; top?: string | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const camera = useRef<Camera>({ x: 20, y: 20, scale: 1 });
  const [size, setSize] = useState<[number, number]>([0, 0]);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [sought, setSought] = useState("");
  const [follows, setFollows] = useState(true);
  const [hint, setHint] = useState<{ box: Box; x: number; y: number; letter: string } | null>(null);
  const [, redraw] = useState(0);
  const theme = useTheme();
  const { state } = view;
  const splice = view.difference && (state.splice?.revises || state.splice?.edits) ? state.splice : null;

  const idle = useMemo(() => idleBranches(state, opened), [state, state.seq, opened]);
  const layout = useMemo(
    () => layOut(state, { folded: new Set([...folded, ...idle]), unfolded, splice, measure }),
    [state.splice?.seq, state.root, folded, unfolded, splice, [...idle].join("\n")], // what changes the structure
  );
  const matches = useMemo(() => {
    const words = sought.trim().toLowerCase();
    if (words === "") return [];
    return layout.boxes.filter((box) => `${box.label} ${box.type}`.toLowerCase().includes(words));
  }, [layout, sought]);
  const selected = selectedNode(view, layout);

  const palette = useMemo(() => readPalette(document.documentElement), [theme]);
  const draw = (): void => {
    const surface = canvas.current;
    if (surface === null) return;
    drawTree(surface, layout, state, camera.current, palette, {
      selected,
      found: new Set(matches.map((box) => box.id)),
      numberOf: (action) => view.numberOf(action),
    });
  };
  useLayoutEffect(draw, [layout, state.seq, size, selected, matches, palette, view.timeline.length]);

  useEffect(() => {
    const surface = canvas.current!;
    const fit = new ResizeObserver(() => {
      const { width, height } = surface.parentElement!.getBoundingClientRect();
      const ratio = window.devicePixelRatio || 1;
      surface.width = Math.max(1, Math.round(width * ratio));
      surface.height = Math.max(1, Math.round(height * ratio));
      setSize([width, height]);
    });
    fit.observe(surface.parentElement!);
    return () => fit.disconnect();
  }, []);

  const show = (box: Box): void => {
    const [width, height] = size;
    const at = camera.current;
    const x = box.x * at.scale + at.x;
    const y = box.y * at.scale + at.y;
    const inside =
      x > 10 && x + Math.min(box.width * at.scale, width - 30) < width - 10 && y > 10 && y + BOX_HEIGHT * at.scale < height - 20;
    if (inside) return;
    at.x = Math.max(20 - box.x * at.scale, Math.min(20, width - 20 - (box.x + box.width) * at.scale));
    const tall = layout.height * at.scale;
    at.y = tall < height - 20 ? 20 : Math.min(20, Math.max(height - tall - 20, height / 2 - box.y * at.scale));
    draw();
  };
  const pinned = top === null ? undefined : layout.byId.get(top);
  useEffect(() => {
    if (pinned === undefined) return;
    camera.current = { x: 20 - pinned.x, y: 12 - pinned.y, scale: 1 };
    draw();
  }, [pinned?.id, pinned?.x, pinned?.y, size]);
  const working = follows && pinned === undefined ? atWork(layout, state) : null;
  useEffect(() => {
    if (size[0] === 0) return;
    if (working !== null) show(working);
  }, [working?.id, working?.y, size]);
  useEffect(() => {
    const box = selected === null ? undefined : layout.byId.get(selected);
    if (box !== undefined && size[0] > 0) show(box);
  }, [selected, size]);
  useEffect(() => {
    if (matches[0] !== undefined) show(matches[0]);
  }, [sought]);

  const whole = (): void => {
    const [width, height] = size;
    const scale = Math.min(1, (width - 40) / (layout.width || 1), (height - 40) / (layout.height || 1));
    camera.current = { x: 20, y: 20, scale: Math.max(scale, 0.02) };
    setFollows(false);
    redraw((n) => n + 1);
    draw();
  };
  const zoom = (factor: number, x = size[0] / 2, y = size[1] / 2): void => {
    const at = camera.current;
    const scale = Math.min(3, Math.max(0.02, at.scale * factor));
    at.x = x - ((x - at.x) * scale) / at.scale;
    at.y = y - ((y - at.y) * scale) / at.scale;
    at.scale = scale;
    draw();
  };
  const pan = (dx: number, dy: number): void => {
    camera.current.x += dx;
    camera.current.y += dy;
    draw();
  };
  /** What is at a point of the canvas: a box, and the letter of one of its guards. */
  const under = (x: number, y: number): { box: Box; letter: string } | null => {
    const at = camera.current;
    const [u, v] = [(x - at.x) / at.scale, (y - at.y) / at.scale];
    const box = layout.boxes.find((b) => u >= b.x && u <= b.x + b.width && v >= b.y && v <= b.y + BOX_HEIGHT);
    if (box === undefined) return null;
    const badge = Math.floor((u - box.x - MEASURES.PADDING - MEASURES.ICON) / MEASURES.BADGE);
    return { box, letter: badge >= 0 ? (box.badges[badge]?.letter ?? "") : "" };
  };
  const selectionFor = (box: Box, id = box.id): Selection =>
    box.action !== "" && id === box.id ? { kind: "action", id: box.action } : { kind: "node", id };
  /** Select with the keys: the moment stays, since the tree at another one may have no such neighbours. */
  const choose = (box: Box): void => view.select(selectionFor(box));
  /** Select by a click, which shows an action at its start. */
  const click = (box: Box, id = box.id): void => {
    const chosen = selectionFor(box, id);
    if (chosen.kind === "action") view.gotoAction(chosen.id);
    else view.select(chosen);
  };
  const doubled = useRef<(id: string) => void>(() => undefined);
  doubled.current = (id) => {
    const box = layout.byId.get(id);
    if (box !== undefined) fold(box);
  };
  const fold = (box: Box): void => {
    if (box.badges.length > 0 || unfolded.has(box.id)) setUnfolded(toggled(unfolded, box.id));
    else if (idle.has(box.id)) setOpened(toggled(opened, box.id));
    else if (box.foldable) setFolded(toggled(folded, box.id));
  };
  const dragged = useRef<{ x: number; y: number; moved: boolean } | null>(null);
  /** Whether the pointer has moved the tree since it went down. */
  const moved = useRef(false);
  /** Ends the wait for the second click of a double one. */
  const waits = useRef(new AbortController());

  /** The box that is selected now, which may be a frame ahead of what is drawn. */
  const current = (): Box | undefined => layout.byId.get(selectedNode(view, layout) ?? "");
  /** Where the keys begin: at what the moment is about. */
  const chooseFirst = (): void => {
    const box = atWork(layout, state) ?? layout.boxes[0];
    if (box !== undefined) choose(box);
  };
  const step = (key: string): void => {
    const box = current();
    if (box === undefined) {
      chooseFirst();
      return;
    }
    const index = layout.boxes.indexOf(box);
    const next = {
      ArrowLeft: box.parent,
      ArrowRight: box.children[0],
      ArrowUp: layout.boxes[index - 1],
      ArrowDown: layout.boxes[index + 1],
    }[key];
    if (next) choose(next);
  };

  return (
    <section class="tree panel" aria-label="Behaviour tree">
      <div class="tools">
        <input
          type="search"
          placeholder="Search nodes"
          aria-label="Search nodes"
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && matches[0] !== undefined && choose(matches[0])}
        />
        {sought.trim() !== "" && <span class="faint">{matches.length} found</span>}
        <button type="button" onClick={() => zoom(1.25)} aria-label="Zoom in" title="Zoom in (+)">
          +
        </button>
        <button type="button" onClick={() => zoom(0.8)} aria-label="Zoom out" title="Zoom out (-)">
          −
        </button>
        <button type="button" onClick={whole} title="Show the whole tree (0)">
          Whole tree
        </button>
        <label title="Keep in view what runs, or ran last. Moving the tree by hand, or showing all of it, switches this off.">
          <input type="checkbox" checked={follows} onChange={(event) => setFollows(event.currentTarget.checked)} />
          Follow
        </label>
        <Revisions view={view} />
      </div>
      <div class="canvas">
        <canvas
          ref={canvas}
          tabIndex={0}
          role="img"
          aria-label={`Behaviour tree with ${state.nodes.size} nodes. Arrow keys move between nodes, Enter opens details, then folds.`}
          onWheel={(event) => {
            event.preventDefault();
            if (event.ctrlKey || event.metaKey || !event.shiftKey) {
              zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY);
            } else {
              setFollows(false);
              pan(-event.deltaX - event.deltaY, 0);
            }
          }}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            dragged.current = { x: event.offsetX, y: event.offsetY, moved: false };
          }}
          onPointerMove={(event) => {
            const from = dragged.current;
            if (from === null) {
              const found = under(event.offsetX, event.offsetY);
              setHint(found === null ? null : { ...found, x: event.offsetX, y: event.offsetY });
              return;
            }
            const [dx, dy] = [event.offsetX - from.x, event.offsetY - from.y];
            if (!from.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
            dragged.current = { x: event.offsetX, y: event.offsetY, moved: true };
            if (follows) setFollows(false);
            setHint(null);
            pan(dx, dy);
          }}
          onPointerUp={() => {
            moved.current = dragged.current?.moved ?? false;
            dragged.current = null;
          }}
          onClick={(event) => {
            if (moved.current || event.detail > 1) return; // the first click of two may have moved the tree
            const found = under(event.offsetX, event.offsetY);
            // The first click may open the details, so that the second one meets something else than the tree.
            waits.current.abort();
            const waiting = (waits.current = new AbortController());
            const twice = (second: MouseEvent) => {
              const apart = Math.hypot(second.clientX - event.clientX, second.clientY - event.clientY);
              if (apart <= WIDEST_DOUBLE_CLICK) doubled.current(found?.box.id ?? "");
            };
            window.addEventListener("dblclick", twice, { once: true, signal: waiting.signal });
            setTimeout(() => waiting.abort(), LONGEST_DOUBLE_CLICK);
            if (found === null) view.select(null);
            else if (found.letter !== "") {
              click(found.box, found.box.badges.find((badge) => badge.letter === found.letter)!.id);
            } else click(found.box);
          }}
          onPointerLeave={() => setHint(null)}
          onKeyDown={(event) => {
            const box = current();
            if (event.key.startsWith("Arrow")) step(event.key);
            else if (event.key === "+") zoom(1.25);
            else if (event.key === "-") zoom(0.8);
            else if (event.key === "0") whole();
            else if (event.key === "Enter") box === undefined ? chooseFirst() : fold(box);
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        {layout.boxes.length === 0 && <p class="empty">No tree yet: the run has not begun to tick.</p>}
        {hint !== null && (
          <div class="hint" style={hintPlace(hint, size)}>
            <b>{hint.letter === "" ? hint.box.label : `${GUARD_NAMES[hint.letter]} guard`}</b>
            <span>
              {hint.box.type} · {statusWords(statusUnder(state, hint.box, hint.letter))}
            </span>
            {messageUnder(state, hint.box, hint.letter) && <span>{messageUnder(state, hint.box, hint.letter)}</span>}
            {hint.letter === "" && hint.box.foldable && (
              <span class="faint">Double-click {hint.box.hidden > 0 ? "unfolds" : "folds"}.</span>
            )}
          </div>
        )}
      </div>
      <Legend state={state} />
    </section>
  );
}

/** What the signs in the tree mean: guards, and inner nodes of the types that it has. */
function Legend({ state }: { state: RunState }) {
  const types = useMemo(() => new Set([...state.nodes.values()].map((node) => node.type)), [state.splice?.seq, state.root]);
  const signs = Object.entries(SIGNS).filter(([type]) => types.has(type));
  const guards = Object.entries(GUARD_NAMES).filter(([, name]) => types.has(name[0]!.toUpperCase() + name.slice(1)));
  return (
    <p class="legend signs">
      {guards.length > 0 && (
        <span>
          guards:{" "}
          {guards.map(([letter, name]) => (
            <span key={letter}>
              <b>{letter}</b> {name}{" "}
            </span>
          ))}
        </span>
      )}
      {signs.map(([type, [sign, meaning]]) => (
        <span key={type}>
          <b>{sign}</b> {meaning}
        </span>
      ))}
    </p>
  );
}

/** Beside the pointer, on the side where there is room. */
function hintPlace({ x, y }: { x: number; y: number }, [width, height]: readonly [number, number]): Record<string, string> {
  return {
    ...(x < width - 330 ? { left: `${x + 14}px` } : { right: `${Math.max(0, width - x + 14)}px` }),
    ...(y < height - 100 ? { top: `${y + 14}px` } : { bottom: `${height - y + 14}px` }),
  };
}

/** The node of a box that the mouse is over: a guard by its letter, else what the box is for. */
function nodeUnder(box: Box, letter: string): string {
  return box.badges.find((badge) => badge.letter === letter)?.id ?? box.inner;
}

function statusUnder(state: RunState, box: Box, letter: string): string {
  const badge = box.badges.find((each) => each.letter === letter);
  return badge === undefined ? statusOf(state, box) : statusOfBadge(state, box, badge);
}

function messageUnder(state: RunState, box: Box, letter: string): string {
  return nodeAt(state, nodeUnder(box, letter))?.message ?? "";
}

/** The node that stands for what is selected. */
function selectedNode(view: RunView, layout: TreeLayout): string | null {
  const selected = view.selected;
  if (selected?.kind === "node") return selected.id;
  if (selected?.kind !== "action") return null;
  return layout.boxes.find((box) => box.action === selected.id)?.id ?? null;
}
