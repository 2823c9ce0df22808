/** A camera image on record: where it is, and what was detected in it. */

import { Json, items, text } from "./events";

export interface Detection {
  readonly index: number;
  /** What the world model made of it; "" if nothing. */
  readonly entity: string;
  readonly class: string;
  readonly scores: readonly (readonly [name: string, score: number])[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The shade of its mask; 0 if it has none. */
  readonly mask: number;
}

export interface CameraImage {
  readonly seq: number;
  readonly time: number;
  readonly source: string;
  /** Why there is no image, if so. */
  readonly trouble: string;
  readonly width: number;
  readonly height: number;
  readonly digest: string;
  readonly masks: string;
  readonly detections: readonly Detection[];
}

/** No image on screen is larger than this, whatever a record says. */
const LARGEST = 16384;

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** The image of an event `camera.seen`; a damaged one says what is wrong. */
export function cameraImage(data: Json, seq: number, time: number): CameraImage {
  const image = data.image ?? {};
  const [width, height] = [number(image.width), number(image.height)];
  const sound = width >= 1 && height >= 1 && width <= LARGEST && height <= LARGEST && typeof image.digest === "string";
  return {
    seq,
    time,
    source: text(data.source),
    trouble: text(image.trouble) || (sound ? "" : "What is on record of this image is damaged."),
    width,
    height,
    digest: text(image.digest),
    masks: text(image.masks),
    detections: items(image.detections).map(detection),
  };
}

function detection(raw: Json, index: number): Detection {
  const [left, top, right, bottom] = items(raw?.box).map(number);
  return {
    index,
    entity: text(raw?.entity),
    class: text(raw?.class),
    scores: Object.entries(raw?.scores ?? {})
      .map(([name, score]) => [name, number(score)] as const)
      .sort((a, b) => b[1] - a[1]),
    x: left ?? 0,
    y: top ?? 0,
    width: Math.max(0, (right ?? 0) - (left ?? 0)),
    height: Math.max(0, (bottom ?? 0) - (top ?? 0)),
    mask: number(raw?.mask),
  };
}
