/** How wide text is, measured once for each label. */

export const FONT = 'ui-sans-serif, system-ui, "Segoe UI", sans-serif';
const SIZE = 13;

const pen = document.createElement("canvas").getContext("2d")!;
const lengths = new Map<string, number>();

/** The width of *label* in pixels at a font size of *size*. */
export function measure(label: string, size = SIZE): number {
  let length = lengths.get(label);
  if (length === undefined) {
    pen.font = `${SIZE}px ${FONT}`;
    length = pen.measureText(label).width;
    lengths.set(label, length);
  }
  return (length * size) / SIZE;
}
