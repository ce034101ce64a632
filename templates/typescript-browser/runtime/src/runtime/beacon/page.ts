import { askTurn } from "./turn.ts";

/** What a beacon needs to know of the page that it runs in. */
export interface BeaconPage {
  /** Loaded and visible. */
  readonly isShown: boolean;
  readonly isOnline: boolean;
  /** Calls back whenever one of them may have changed; gives what ends it. */
  watch(changed: () => void): () => void;
  /** Calls back when it is this tab's turn; gives what leaves it to another tab. */
  askTurn(name: string, granted: () => void): () => void;
}

/** The page that this code runs in; undefined on a server. */
export function currentPage(): BeaconPage | undefined {
  if (typeof document === "undefined") return undefined;
  return {
    get isShown() {
      return !document.hidden && document.readyState === "complete";
    },
    get isOnline() {
      return navigator.onLine;
    },
    watch(changed) {
      const listening = new AbortController();
      const { signal } = listening;
      document.addEventListener("visibilitychange", changed, { signal });
      for (const event of ["load", "online", "offline"])
        addEventListener(event, changed, { signal });
      return () => {
        listening.abort();
      };
    },
    askTurn,
  };
}
