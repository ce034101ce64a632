import { type BeaconSchedule, isSchedule } from "./beacon-state.ts";
import { askTurn } from "./turn.ts";

/** The page of a beacon. */
export interface BeaconPage {
  /** Whether the page is loaded, visible and online. */
  readonly isAwake: boolean;
  /** Calls back when `isAwake` may have changed. Returns a function to stop. */
  watch(changed: () => void): () => void;
  /**
   * Calls back when it is this tab's turn. Returns a function to give it up.
   */
  askTurn(name: string, granted: () => void): () => void;
  /** Returns the value stored by `remember` in any page of the origin. */
  recall(name: string): BeaconSchedule | undefined;
  /** Stores when the next beat is due, for later pages and other tabs. */
  remember(name: string, schedule: BeaconSchedule): void;
}

/** The current page; undefined outside of browsers. */
export function currentPage(): BeaconPage | undefined {
  return typeof document === "undefined" ? undefined : page;
}

const page: BeaconPage = {
  get isAwake() {
    const isLoaded = document.readyState === "complete";
    return isLoaded && !document.hidden && navigator.onLine;
  },
  watch(changed) {
    const listening = new AbortController();
    // Visibility events bubble up to the window.
    for (const event of ["load", "visibilitychange", "online", "offline"])
      addEventListener(event, changed, { signal: listening.signal });
    return () => {
      listening.abort();
    };
  },
  askTurn,
  recall(name) {
    try {
      const stored: unknown = JSON.parse(
        localStorage.getItem(`${name} due`) ?? "null",
      );
      return isSchedule(stored) ? stored : undefined;
    } catch {
      // Storage can be disabled.
      return undefined;
    }
  },
  remember(name, { failures, dueAt, pauseMs }) {
    try {
      const schedule = JSON.stringify({ failures, dueAt, pauseMs });
      localStorage.setItem(`${name} due`, schedule);
    } catch {
      // Storage can be disabled or full. Then each page load beats.
    }
  },
};
