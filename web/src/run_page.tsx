/** A run: its tree, the panels beside it, the bar of time below. */

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { BeliefPanel } from "./belief_panel";
import { Controls, Halts, Question } from "./controls";
import { Detail } from "./detail";
import { text } from "./events";
import { Help } from "./help";
import { History, MomentLine } from "./history";
import { LogPanel } from "./log_panel";
import { notices } from "./notices";
import { PlanPanel } from "./plan_panel";
import { ReasonerPanel } from "./reasoner_panel";
import { RevisionNote } from "./revisions";
import { Share } from "./share";
import { TimeBar } from "./time_bar";
import { TreePanel } from "./tree_panel";
import { PANELS, Panel, RunView } from "./view";
import { WorldPanel } from "./world_panel";

const VIEWS: Record<Panel, ComponentType<{ view: RunView }>> = {
  world: WorldPanel,
  belief: BeliefPanel,
  plan: PlanPanel,
  reasoner: ReasonerPanel,
  log: LogPanel,
};

/** Render whenever *view* changes, at most once a frame. */
export function useView(view: RunView): void {
  const [, render] = useState(0);
  useEffect(() => view.watch(() => render((n) => n + 1)), [view]);
}

export function RunPage({ view, home }: { view: RunView; home: boolean }) {
  useView(view);
  useKeys(view);
  useEffect(() => {
    document.title = `${view.info?.instruction ?? view.id} · Foretree`;
  }, [view.info?.instruction]);
  if (view.trouble !== "" && view.info === null && view.timeline.length === 0) return <NoRun view={view} home={home} />;
  const Shown = VIEWS[view.panel];
  return (
    <div class="run">
      <Header view={view} home={home} />
      <History view={view} />
      <main>
        <div class="left">
          <TreePanel view={view} />
          <RevisionNote view={view} />
          <Detail view={view} />
        </div>
        <div class="right">
          <nav role="tablist" aria-label="Panels">
            {PANELS.map((panel, index) => (
              <button
                type="button"
                key={panel}
                role="tab"
                aria-selected={panel === view.panel}
                title={`${panel} (${index + 1})`}
                onClick={() => view.show(panel)}
              >
                {panel[0]!.toUpperCase() + panel.slice(1)}
              </button>
            ))}
          </nav>
          <MomentLine view={view} />
          <div class="panel scrolls" role="tabpanel" aria-label={view.panel}>
            {view.timeline.length === 0 && view.trouble === "" ? <p class="empty">Reading the run…</p> : <Shown view={view} />}
          </div>
        </div>
      </main>
      <TimeBar view={view} />
    </div>
  );
}

/** Why there is nothing to be seen, and the way to what there is. */
function NoRun({ view, home }: { view: RunView; home: boolean }) {
  return (
    <div class="run norun">
      <header>
        {home && <a href="#/">Runs</a>}
        <h1>{view.id}</h1>
      </header>
      <p class="trouble" role="alert">
        {view.trouble}
      </p>
      {home && (
        <p>
          <a class="button" href="#/">
            Show all runs
          </a>
        </p>
      )}
    </div>
  );
}

function Header({ view, home }: { view: RunView; home: boolean }) {
  const { state, info } = view;
  const ended = view.timeline.head.ended;
  const outcome = text(ended?.outcome) || info?.outcome || "";
  const status = outcome || (info?.status === "running" ? (view.timeline.head.paused ? "paused" : "running") : (info?.status ?? ""));
  return (
    <header>
      {home && (
        <a href="#/" title="All runs">
          Runs
        </a>
      )}
      <h1 title={view.id}>{info?.instruction || text(state.started.instruction) || view.id}</h1>
      <span class={`badge ${status}`}>{status}</span>
      {ended?.reason && <span class="reason">{text(ended.reason)}</span>}
      <Controls view={view} />
      <Halts view={view} />
      <Share view={view} served={home} />
      <Help />
      <Question view={view} />
      {view.trouble !== "" && (
        <p class="trouble" role="alert">
          {view.trouble}
        </p>
      )}
      {notices(view).map((notice) => (
        <p key={notice} class="notice" role="status">
          {notice}
        </p>
      ))}
    </header>
  );
}

/** Keys that work wherever nothing else takes them. */
function useKeys(view: RunView): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
      const number = Number(event.key);
      if (event.key === " " && target.tagName !== "BUTTON" && target.getAttribute("role") !== "button") view.play();
      else if (event.key === "ArrowLeft") event.shiftKey ? view.gotoMark(-1) : view.step(-1);
      else if (event.key === "ArrowRight") event.shiftKey ? view.gotoMark(1) : view.step(1);
      else if (event.key === "Home") view.gotoStart();
      else if (event.key === "End") view.goto(view.timeline.length);
      else if (event.key === "s" && view.selected?.kind === "action") view.gotoAction(view.selected.id);
      else if (event.key === "Backspace") view.goBack();
      else if (event.key === "Escape") {
        view.select(null);
        view.forgetThing();
      } else if (number >= 1 && number <= PANELS.length) view.show(PANELS[number - 1]!);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [view]);
}
