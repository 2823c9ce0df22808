/** The newest camera image at the moment on screen, with masks and boxes over it. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CameraImage, Detection } from "./camera_image";
import type { RunView } from "./view";

export function CameraView({ view }: { view: RunView }) {
  const [open, setOpen] = useState(true);
  const [masks, setMasks] = useState(false);
  const [boxes, setBoxes] = useState(true);
  const image = view.state.camera;
  if (image === null) {
    const later = view.timeline.of("camera.seen").length > 0;
    return <p class="camera none">{later ? "No camera image yet at this moment." : "No camera on record."}</p>;
  }
  return (
    <section class="camera" aria-label="Camera">
      <div class="tools">
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "▾" : "▸"} Camera
        </button>
        {open && (
          <>
            <label>
              <input type="checkbox" checked={boxes} onChange={() => setBoxes(!boxes)} /> boxes
            </label>
            <label>
              <input type="checkbox" checked={masks} disabled={image.masks === ""} onChange={() => setMasks(!masks)} /> masks
            </label>
          </>
        )}
        <span class="faint">
          {image.source === "look" ? "look on purpose" : "seen in passing"}, at {image.time.toFixed(1)} s
        </span>
      </div>
      {open && (image.trouble !== "" ? <p class="empty">{image.trouble}</p> : <Picture view={view} image={image} boxes={boxes} masks={masks} />)}
    </section>
  );
}

function Picture({ view, image, boxes, masks }: { view: RunView; image: CameraImage; boxes: boolean; masks: boolean }) {
  const stage = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState({ width: 400, height: 240 });
  const [failed, setFailed] = useState("");
  const [pointed, setPointed] = useState<Detection | null>(null);
  useLayoutEffect(() => {
    const fit = new ResizeObserver(([entry]) => setRoom(entry!.contentRect));
    fit.observe(stage.current!);
    return () => fit.disconnect();
  }, []);
  useEffect(() => setPointed(null), [image.seq]);
  const scale = Math.min(room.width / image.width, room.height / image.height);
  const [width, height] = [image.width * scale, image.height * scale];
  const chosen = view.thing?.kind === "entity" ? view.thing.id : null;
  const told = pointed ?? image.detections.find((one) => chosen !== null && one.entity === chosen) ?? null;
  const address = view.imageAddress(image.digest);
  const missing = address === null ? leftOut(view) : failed === address ? "This image cannot be shown: it is damaged, or not kept any more." : "";
  const labels = labelled(image, scale, chosen);
  return (
    <>
      <div class="stage" ref={stage}>
        <div class="picture" style={{ width: `${width}px`, height: `${height}px` }}>
          {missing === "" ? (
            <img src={address!} alt="What the camera saw" onError={() => setFailed(address!)} onLoad={() => setFailed("")} />
          ) : (
            <p class="empty">{missing}</p>
          )}
          {masks && missing === "" && <Masks address={view.imageAddress(image.masks)} image={image} chosen={chosen} />}
          {boxes && (
            <svg viewBox={`0 0 ${image.width} ${image.height}`} style={{ "--px": `${1 / scale}px` }}>
              {byArea(image.detections).map((one) => (
                <g
                  key={one.index}
                  class={`box${one.entity !== "" && one.entity === chosen ? " chosen" : ""}${one === pointed ? " pointed" : ""}`}
                  tabindex={0}
                  role="button"
                  aria-label={sentence(one)}
                  onClick={() => one.entity !== "" && view.select({ kind: "entity", id: one.entity })}
                  onKeyDown={(event) => {
                    if (one.entity === "" || (event.key !== "Enter" && event.key !== " ")) return;
                    view.select({ kind: "entity", id: one.entity });
                    event.preventDefault();
                    event.stopPropagation();
                  }}
                  onPointerEnter={() => setPointed(one)}
                  onPointerLeave={() => setPointed(null)}
                  onFocus={() => setPointed(one)}
                  onBlur={() => setPointed(null)}
                >
                  <title>{sentence(one)}</title>
                  <rect class="edge" x={one.x} y={one.y} width={one.width} height={one.height} />
                  <rect x={one.x} y={one.y} width={one.width} height={one.height} />
                </g>
              ))}
              {labels.map(({ text, x, y, one }) => (
                <text key={one.index} class={one.entity === chosen ? "chosen" : ""} x={x} y={y}>
                  {text}
                </text>
              ))}
            </svg>
          )}
        </div>
      </div>
      <p class="told">{told === null ? "Point at a box to see its class scores; click it to select what it is." : sentence(told)}</p>
    </>
  );
}

function leftOut(view: RunView): string {
  const total = view.timeline.of("camera.seen").length;
  return view.imagesLeftOut > 0
    ? `This page leaves out ${view.imagesLeftOut} of ${total} images, to be small. The run has them: foretree view.`
    : "This image is not kept any more.";
}

function sentence(one: Detection): string {
  const scores = one.scores.map(([name, score]) => `${name} ${Math.round(score * 100)} %`).join(", ");
  return `${one.entity || "not taken for anything"}: ${scores || one.class || "no class"}`;
}

/** Large boxes first, so that small ones are on top of them and can be pointed at. */
function byArea(detections: readonly Detection[]): Detection[] {
  return [...detections].sort((a, b) => b.width * b.height - a.width * a.height);
}

/** Pixels on screen. */
const [LETTER, LINE] = [6.3, 13];

/** The names for which there is room, of the chosen thing and of large boxes first. */
function labelled(image: CameraImage, scale: number, chosen: string | null) {
  const order = byArea(image.detections).sort((a, b) => Number(b.entity === chosen) - Number(a.entity === chosen));
  const placed: { x: number; y: number; text: string; one: Detection; right: number }[] = [];
  for (const one of order) {
    const text = (one.entity || one.class).slice(0, 40);
    const wide = (text.length * LETTER + 8) / scale;
    const high = LINE / scale;
    const x = Math.max(0, Math.min(one.x + 2 / scale, image.width - wide));
    const tops = [one.y, one.y + one.height - high, one.y - high, one.y + one.height];
    const fits = tops.find(
      (top) =>
        top >= 0 &&
        top + high <= image.height &&
        placed.every((other) => other.x > x + wide || other.right < x || Math.abs(other.y - (top + high * 0.8)) > high),
    );
    if (fits !== undefined) placed.push({ x, y: fits + high * 0.8, text, one, right: x + wide });
  }
  return placed;
}

/** Masks in colours of their own, over the image. */
function Masks({ address, image, chosen }: { address: string | null; image: CameraImage; chosen: string | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const mark = image.detections.find((one) => chosen !== null && one.entity === chosen)?.mask ?? 0;
  useEffect(() => {
    const target = canvas.current?.getContext("2d");
    if (!target) return;
    target.clearRect(0, 0, image.width, image.height);
    if (address === null) return;
    let wanted = true;
    const source = new Image();
    source.onload = () => {
      if (!wanted) return;
      target.clearRect(0, 0, image.width, image.height);
      target.drawImage(source, 0, 0, image.width, image.height);
      const pixels = target.getImageData(0, 0, image.width, image.height);
      colour(pixels.data, mark);
      target.putImageData(pixels, 0, 0);
    };
    source.src = address;
    return () => void (wanted = false);
  }, [address, mark]);
  return <canvas ref={canvas} width={image.width} height={image.height} aria-hidden="true" />;
}

/** Give each shade of grey a colour: neighbours in number are far apart on the circle of hues. */
function colour(data: Uint8ClampedArray, mark: number): void {
  for (let at = 0; at < data.length; at += 4) {
    const shade = data[at]!;
    const hue = ((shade * 0.618034) % 1) * 2 * Math.PI;
    for (const part of [0, 1, 2]) data[at + part] = 128 + 115 * Math.cos(hue - (part * 2 * Math.PI) / 3);
    data[at + 3] = shade === 0 ? 0 : mark === 0 || shade === mark ? 170 : 60;
  }
}
