/** Dark or light, as the system says, so that what is drawn by hand is drawn anew when that changes. */

import { useEffect, useState } from "preact/hooks";

export function useTheme(): "dark" | "light" {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const [dark, setDark] = useState(query.matches);
  useEffect(() => {
    const listen = (): void => setDark(query.matches);
    query.addEventListener("change", listen);
    return () => query.removeEventListener("change", listen);
  }, []);
  return dark ? "dark" : "light";
}
