import { askTurn } from "./turn.ts";

/** What a beacon needs to know of the page that it runs in. */
export interface BeaconPage {
  /** Loaded, visible and online. */
  readonly isAwake: boolean;
  /** Calls back whenever that may have changed; gives what ends it. */
  watch(changed: () => void): () => void;
  /** Calls back when it is this tab's turn; gives what leaves it to another tab. */
  askTurn(name: string, granted: () => void): () => void;
}

/** The page that this code runs in; undefined on a server. */
export function currentPage(): BeaconPage | undefined {
  if (typeof document === "undefined") return undefined;
  return {
    get isAwake() {
      const isLoaded = document.readyState === "complete";
      return isLoaded && !document.hidden && navigator.onLine;
    },
    watch(changed) {
      const listening = new AbortController();
      // Told of changes of visibility too: their events rise to the window.
      for (const event of ["load", "visibilitychange", "online", "offline"])
        addEventListener(event, changed, { signal: listening.signal });
      return () => {
        listening.abort();
      };
    },
    askTurn,
  };
}
