/** The part of the address after `#`: always a link to exactly what is on screen. */

import { PANELS, Panel, Selection } from "./view";

export interface Link {
  /** Seconds on the session's clock; null for the newest moment. */
  readonly at: number | null;
  /** What stands there for the moment without being one; "" if nothing does. */
  readonly wrongAt: string;
  readonly panel?: Panel;
  readonly selected?: Selection;
  readonly thing?: Selection;
  readonly difference: boolean;
}

export type Page =
  | { readonly kind: "runs" }
  | { readonly kind: "run"; readonly id: string; readonly link: Link }
  | { readonly kind: "compare"; readonly ids: readonly [string, string] }
  | { readonly kind: "scene"; readonly name: string };

const KINDS = { selected: ["action", "node", "event"], thing: ["entity", "fact"] } as const;

export function readPage(hash: string, only: string | null): Page {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?");
  const [, kind, ...ids] = path.split("/").map(decodeURIComponent);
  if (kind === "run" && ids[0]) return { kind, id: ids[0], link: readLink(query) };
  if (kind === "compare" && ids[0] && ids[1]) return { kind, ids: [ids[0], ids[1]] };
  if (kind === "scene" && ids[0]) return { kind, name: ids[0] };
  return only === null ? { kind: "runs" } : { kind: "run", id: only, link: readLink(query) };
}

export function readLink(query: string): Link {
  const said = new URLSearchParams(query);
  const at = said.get("at");
  const seconds = at === null || at.trim() === "" ? NaN : Number(at);
  const panel = PANELS.find((each) => each === said.get("panel"));
  const chosen = (part: keyof typeof KINDS): Partial<Link> => {
    const kind = KINDS[part].find((each) => said.has(each));
    return kind === undefined ? {} : { [part]: { kind, id: said.get(kind)! } };
  };
  return {
    at: Number.isFinite(seconds) ? seconds : null,
    wrongAt: Number.isFinite(seconds) ? "" : (at ?? ""),
    difference: said.has("difference"),
    ...(panel === undefined ? {} : { panel }),
    ...chosen("selected"),
    ...chosen("thing"),
  };
}

export function writeLink(id: string, link: Omit<Link, "wrongAt">): void {
  const said = new URLSearchParams();
  if (link.at !== null) said.set("at", rounded(link.at));
  if (link.panel !== undefined) said.set("panel", link.panel);
  if (link.selected !== undefined) said.set(link.selected.kind, link.selected.id);
  if (link.thing !== undefined) said.set(link.thing.kind, link.thing.id);
  if (link.difference) said.set("difference", "1");
  const query = said.toString();
  history.replaceState(null, "", `#/run/${encodeURIComponent(id)}${query ? `?${query}` : ""}`);
}

/** Seconds as an address has them: milliseconds are enough. */
function rounded(seconds: number): string {
  return String(Math.round(seconds * 1000) / 1000);
}

export function runAddress(id: string, at?: number): string {
  return `#/run/${encodeURIComponent(id)}${at === undefined ? "" : `?at=${rounded(at)}`}`;
}

export function compareAddress(one: string, other: string): string {
  return `#/compare/${encodeURIComponent(one)}/${encodeURIComponent(other)}`;
}
