/** Passing on what is on screen: its address, or the run as one file. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { RunView } from "./view";

/** @param served whether the page comes from a server, which can write the file. */
export function Share({ view, served }: { view: RunView; served: boolean }) {
  const menu = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (!open) return;
    const away = (event: Event): void => {
      if (event instanceof KeyboardEvent ? event.key === "Escape" : !menu.current!.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("keydown", away);
    addEventListener("pointerdown", away);
    return () => {
      removeEventListener("keydown", away);
      removeEventListener("pointerdown", away);
    };
  }, [open]);
  const copy = async (): Promise<void> => {
    view.writeAddress();
    try {
      await navigator.clipboard.writeText(location.href);
      setSaid("Copied: it leads to this moment, as it is on screen.");
    } catch {
      setSaid("The browser does not allow copying: take it from the address bar.");
    }
  };
  return (
    <div class="share" ref={menu}>
      <button type="button" aria-expanded={open} onClick={() => (setOpen(!open), setSaid(""))}>
        Share
      </button>
      {open && (
        <aside aria-label="Share">
          <button type="button" onClick={() => void copy()}>
            Copy the address of this moment
          </button>
          {served && (
            <a class="button" href={`runs/${encodeURIComponent(view.id)}/page`} download={`${view.id}.html`}>
              Download the run as one HTML file
            </a>
          )}
          {served && <p class="faint">The file replays the run in a browser, without a server or the network.</p>}
          {said !== "" && <p role="status">{said}</p>}
        </aside>
      )}
    </div>
  );
}
