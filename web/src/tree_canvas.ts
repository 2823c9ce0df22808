/** Drawing the tree: only what is in sight, so that thousands of nodes pan and zoom smoothly. */

import { FONT } from "./measure";
import type { RunState } from "./state";
import { BOX_HEIGHT, Box, BoxStatus, MEASURES, TreeLayout, statusOf, statusOfBadge } from "./tree_layout";

export interface Camera {
  x: number;
  y: number;
  scale: number;
}


/** Colours by name, from the style sheet, so that dark and light are one place's business. */
export type Palette = Readonly<Record<string, string>>;

const NAMES = [
  "paper", "ink", "faint", "line", "box", "select", "found",
  "success", "failure", "running", "invalid", "added", "removed", "on-status",
] as const; // prettier-ignore

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

export interface Marks {
  readonly selected: string | null;
  readonly found: ReadonlySet<string>;
  /** The number of an action among those carried out; null if it never began. */
  readonly numberOf: (action: string) => number | null;
}

export function drawTree(
  canvas: HTMLCanvasElement,
  layout: TreeLayout,
  state: RunState,
  camera: Camera,
  colours: Palette,
  marks: Marks,
): void {
  const pen = canvas.getContext("2d")!;
  const ratio = window.devicePixelRatio || 1;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = colours.paper!;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.setTransform(camera.scale * ratio, 0, 0, camera.scale * ratio, camera.x * ratio, camera.y * ratio);
  pen.font = `13px ${FONT}`;
  pen.textBaseline = "middle";
  const left = -camera.x / camera.scale;
  const top = -camera.y / camera.scale;
  const right = left + canvas.width / ratio / camera.scale;
  const bottom = top + canvas.height / ratio / camera.scale;
  const legible = camera.scale > 0.35;
  const inSight = (box: Box): boolean =>
    box.x < right && box.x + box.width > left && box.y < bottom && box.y + BOX_HEIGHT > top;

  // One path for all lines of a kind: far cheaper than one for each.
  for (const running of [false, true]) {
    pen.beginPath();
    const width = running ? 2.5 : 1;
    // One line down for all children of a box: a plan has hundreds, below each other.
    const lowest = new Map<Box, number>();
    for (const box of layout.boxes) {
      const { parent } = box;
      if (parent === null || parent.x > right || box.x < left || parent.y > bottom) continue;
      if ((statusOf(state, box) === "RUNNING") !== running) continue;
      const y = box.y + BOX_HEIGHT / 2;
      lowest.set(parent, y); // children come from above
      if (y < top || y > bottom) continue;
      pen.moveTo(box.x - MEASURES.INDENT / 2 - width / 2, y);
      pen.lineTo(box.x, y);
    }
    for (const [parent, y] of lowest) {
      if (y < top) continue;
      const bend = parent.x + MEASURES.INDENT / 2;
      pen.moveTo(bend, Math.max(parent.y + BOX_HEIGHT, top));
      pen.lineTo(bend, Math.min(y, bottom));
    }
    pen.strokeStyle = running ? colours.running! : colours.line!;
    pen.lineWidth = width;
    pen.stroke();
  }
  for (const box of layout.boxes) if (inSight(box)) drawBox(pen, box, state, colours, marks, legible);
}

function drawBox(
  pen: CanvasRenderingContext2D,
  box: Box,
  state: RunState,
  colours: Palette,
  marks: Marks,
  legible: boolean,
): void {
  const { x, y, width } = box;
  const status = statusOf(state, box);
  const tone = statusColour(status, colours);
  pen.globalAlpha = box.change === "removed" ? 0.75 : 1;
  pen.fillStyle = marks.found.has(box.id) ? colours.found! : colours.box!;
  pen.beginPath();
  pen.roundRect(x, y, width, BOX_HEIGHT, 5);
  pen.fill();
  const chosen = marks.selected !== null && (box.id === marks.selected || box.badges.some((b) => b.id === marks.selected));
  pen.strokeStyle = chosen
    ? colours.select!
    : box.change === "added"
      ? colours.added!
      : box.change === "removed"
        ? colours.removed!
        : status === "RUNNING"
          ? colours.running!
          : colours.line!;
  pen.lineWidth = chosen ? 3 : box.change !== "" || status === "RUNNING" ? 2 : 1;
  if (box.change === "removed") pen.setLineDash([5, 3]);
  pen.stroke();
  pen.setLineDash([]);
  if (!legible) {
    pen.fillStyle = tone;
    pen.fillRect(x, y, Math.min(10, width), BOX_HEIGHT);
    pen.globalAlpha = 1;
    return;
  }
  const middle = y + BOX_HEIGHT / 2;
  drawStatus(pen, x + MEASURES.PADDING + 5, middle, 6.5, status, colours);
  let at = x + MEASURES.PADDING + MEASURES.ICON;
  for (const badge of box.badges) {
    drawBadge(pen, at, middle, badge.letter, statusOfBadge(state, box, badge), colours);
    at += MEASURES.BADGE;
  }
  pen.fillStyle = status === "INVALID" && box.change === "" ? colours.faint! : colours.ink!;
  if (box.action !== "") {
    const number = marks.numberOf(box.action);
    if (number !== null) pen.fillText(`${number}.`, at, middle + 0.5);
    at += MEASURES.NUMBER;
  }
  const label = clip(pen, box.label, MEASURES.LONGEST);
  pen.fillText(label, at, middle + 0.5);
  if (box.change !== "") {
    pen.fillStyle = box.change === "added" ? colours.added! : colours.removed!;
    if (box.change === "removed") pen.fillRect(at, middle, pen.measureText(label).width, 1.5);
    pen.fillText(box.change === "added" ? "+" : "−", x - 11, middle - 7);
  }
  if (box.hidden > 0) {
    pen.fillStyle = colours.faint!;
    pen.fillText(`+${box.hidden}`, x + width - 40, middle + 0.5);
  }
  pen.globalAlpha = 1;
}

const clipped = new Map<string, string>();

function clip(pen: CanvasRenderingContext2D, label: string, longest: number): string {
  const known = clipped.get(label);
  if (known !== undefined) return known;
  let short = label;
  while (short.length > 1 && pen.measureText(short).width > longest) short = `${short.slice(0, -2)}…`;
  if (clipped.size > 20_000) clipped.clear();
  clipped.set(label, short);
  return short;
}

function statusColour(status: BoxStatus, colours: Palette): string {
  const named = { SUCCESS: colours.success, FAILURE: colours.failure, RUNNING: colours.running };
  return (named as Record<string, string | undefined>)[status] ?? colours.invalid!;
}

/** A status by shape as well as by colour: disc with a tick, square with a cross, triangle, ring, ring with a bar. */
function drawStatus(
  pen: CanvasRenderingContext2D,
  x: number,
  y: number,
  r: number,
  status: BoxStatus,
  colours: Palette,
): void {
  pen.lineWidth = 2;
  pen.beginPath();
  if (status === "INVALID" || status === "CANCELLED") {
    pen.arc(x, y, r - 1.5, 0, 2 * Math.PI);
    if (status === "CANCELLED") {
      pen.moveTo(x - 3.5, y + 3.5);
      pen.lineTo(x + 3.5, y - 3.5);
    }
    pen.strokeStyle = colours.invalid!;
    pen.lineWidth = 1.5;
    pen.stroke();
    return;
  }
  pen.fillStyle = statusColour(status, colours);
  if (status === "SUCCESS") pen.arc(x, y, r, 0, 2 * Math.PI);
  else if (status === "FAILURE") pen.rect(x - r + 0.5, y - r + 0.5, 2 * r - 1, 2 * r - 1);
  else {
    pen.moveTo(x - r + 1, y - r);
    pen.lineTo(x + r, y);
    pen.lineTo(x - r + 1, y + r);
    pen.closePath();
  }
  pen.fill();
  pen.strokeStyle = colours["on-status"]!;
  pen.beginPath();
  if (status === "SUCCESS") {
    pen.moveTo(x - 3, y);
    pen.lineTo(x - 0.8, y + 2.6);
    pen.lineTo(x + 3.2, y - 2.4);
  } else if (status === "FAILURE") {
    pen.moveTo(x - 2.6, y - 2.6);
    pen.lineTo(x + 2.6, y + 2.6);
    pen.moveTo(x + 2.6, y - 2.6);
    pen.lineTo(x - 2.6, y + 2.6);
  }
  pen.stroke();
}

function drawBadge(
  pen: CanvasRenderingContext2D,
  x: number,
  y: number,
  letter: string,
  status: BoxStatus,
  colours: Palette,
): void {
  const tone = statusColour(status, colours);
  pen.beginPath();
  pen.roundRect(x, y - 8, 17, 16, status === "FAILURE" ? 0 : status === "SUCCESS" ? 8 : 4);
  if (status === "INVALID") {
    pen.strokeStyle = tone;
    pen.lineWidth = 1.2;
    pen.stroke();
    pen.fillStyle = colours.faint!;
  } else {
    pen.fillStyle = tone;
    pen.fill();
    pen.fillStyle = colours["on-status"]!;
  }
  pen.textAlign = "center";
  pen.fillText(letter, x + 8.5, y + 0.5);
  pen.textAlign = "left";
}
