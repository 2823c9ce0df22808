/** The keys, listed on the page itself. */

import { useEffect, useState } from "preact/hooks";

const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["Space", "play, pause"],
  ["← →", "to the change before, to the next"],
  ["Shift ← →", "to the mark before, to the next"],
  ["Home, End", "to the start, to the end"],
  ["S", "to the start of the chosen action"],
  ["Backspace", "back from there to where you were"],
  ["1 to 5", "panels"],
  ["← →, Enter", "in the row of actions, which is the fourth stop of Tab: next action, to its start"],
  ["arrows, Enter, +, −, 0", "in the tree: next node (first, the one at work, with its details), fold, zoom, whole tree"],
  ["Esc", "close details"],
  ["?", "this list"],
];

export function Help() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key === "Escape") setOpen(false);
      if (event.key === "?" && !(event.target instanceof HTMLInputElement)) setOpen((was) => !was);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <div class="help">
      <button type="button" aria-expanded={open} aria-label="Keys" title="Keys (?)" onClick={() => setOpen(!open)}>
        ?
      </button>
      {open && (
        <aside aria-label="Keys">
          <table>
            <tbody>
              {KEYS.map(([keys, does]) => (
                <tr key={keys}>
                  <th>{keys}</th>
                  <td>{does}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </aside>
      )}
    </div>
  );
}
