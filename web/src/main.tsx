/** The debugger: a list of runs, one run, or two side by side. */

import { render } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { ComparePage } from "./compare_page";
import { PageData, connect, pageData } from "./feed";
import { Page, readLink, readPage } from "./link";
import { RunPage } from "./run_page";
import { RunsPage } from "./runs_page";
import { ScenePage } from "./scene_page";
import { RunView } from "./view";

const data = pageData();
const only = data === null ? null : (Object.keys(data.runs)[0] ?? null);

/** What identifies a page; moving within a run changes the address but not the page. */
function key(page: Page): string {
  return page.kind === "run" ? `run ${page.id}` : page.kind === "compare" ? page.ids.join(" ") : page.kind;
}

function App() {
  const [page, setPage] = useState(() => readPage(location.hash, only));
  useEffect(() => {
    const listen = (): void => setPage(readPage(location.hash, only));
    addEventListener("hashchange", listen);
    return () => removeEventListener("hashchange", listen);
  }, []);
  const views = useMemo(() => {
    if (page.kind === "run") return [new RunView(page.id, page.link)];
    return page.kind === "compare" ? page.ids.map((id) => new RunView(id, readLink(""), false)) : [];
  }, [key(page)]);
  useEffect(() => {
    open(views, data);
    return () => views.forEach((view) => view.feed?.close());
  }, [views]);
  const home = data === null;
  if (page.kind === "run") return <RunPage key={page.id} view={views[0]!} home={home} />;
  if (page.kind === "compare") return <ComparePage views={[views[0]!, views[1]!]} home={home} />;
  if (page.kind === "scene") return <ScenePage name={page.name} />;
  return <RunsPage />;
}

function open(views: readonly RunView[], from: PageData | null): void {
  for (const view of views) view.feed = connect(view, from);
  // For tests and for the console: what is on screen.
  Object.assign(globalThis, { foretree: { views } });
}

render(<App />, document.getElementById("app")!);
