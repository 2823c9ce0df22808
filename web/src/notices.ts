/** What an address asks for that the run does not have. */

import type { RunView } from "./view";

export function notices(view: RunView): string[] {
  if (!view.loaded || view.timeline.length === 0) return [];
  const said: string[] = [];
  const { head, end } = view.timeline;
  const { selected, wanted } = view;
  if (wanted.wrongAt !== "") {
    said.push(`The address asks for the moment at=${wanted.wrongAt}, which is no number of seconds: this is ${view.live ? "now" : "the end"}.`);
  }
  if (wanted.at !== null && wanted.at > end + 0.05 && !view.live) {
    said.push(`The run took ${end.toFixed(1)} s, so there is no moment ${wanted.at} s: this is its end.`);
  }
  if (selected?.kind === "action" && !head.actions.has(selected.id)) {
    const ids = [...head.actions.keys()];
    const known = ids.length === 0 ? "It has none." : `It has ${ids.slice(0, 12).join(", ")}${ids.length > 12 ? ", …" : ""}.`;
    said.push(`This run has no action ${selected.id}. ${known}`);
  }
  return said;
}
