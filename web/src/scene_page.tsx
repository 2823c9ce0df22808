/** A scene before anything runs: its floor and what stands where. */

import { useEffect, useState } from "preact/hooks";

export function ScenePage({ name }: { name: string }) {
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    document.title = `${name} · Foretree`;
  }, [name]);
  return (
    <div class="scene">
      <header>
        <a href="#/">Runs</a>
        <h1>{name}</h1>
      </header>
      {trouble === "" ? (
        <img
          src={`scenes/${encodeURIComponent(name)}.png`}
          alt={`Map of the scene ${name}`}
          onError={() => setTrouble(`There is no map of a scene ${name}.`)}
        />
      ) : (
        <p class="trouble">{trouble}</p>
      )}
    </div>
  );
}
