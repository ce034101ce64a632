import { newIdempotencyKey } from "../idempotency-key.ts";

/** How long a tab keeps its turn without renewing it, and how often it does, in milliseconds. */
const leaseMs = 90_000;
const renewEveryMs = 30_000;

/**
 * Calls back once it is this tab's turn among all tabs of the origin that ask by
 * the same name, and gives what ends the turn. By a lock, where pages have them
 * (not on those that came over plain http), else by a lease in the storage.
 */
export function askTurn(name: string, granted: () => void): () => void {
  if (!("locks" in navigator)) return askLease(name, granted);
  const leaving = new AbortController();
  const { signal } = leaving;
  const left = new Promise((resolve) => {
    signal.onabort = resolve;
  });
  const hold = (): Promise<unknown> => {
    granted();
    return left;
  };
  navigator.locks.request(name, { signal }, hold).catch(() => {
    // A frame without an origin may have no locks: it shares with nobody.
    if (!signal.aborted) granted();
  });
  return () => {
    leaving.abort();
  };
}

/** As `askTurn`, by a lease that expires when its tab is gone. */
function askLease(name: string, granted: () => void): () => void {
  const id = newIdempotencyKey();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isHolder = false;
  const look = (): void => {
    const [holder, until] = lease(name);
    if (holder === id || !(Number(until) > Date.now())) {
      lease(name, `${id} ${String(Date.now() + leaseMs)}`);
      if (!isHolder) granted();
      isHolder = true;
    }
    timer = setTimeout(look, renewEveryMs);
  };
  look();
  return () => {
    clearTimeout(timer);
    if (lease(name)[0] === id) lease(name, "");
  };
}

/** Who holds the turn and until when, after it is written if it has to be. */
function lease(name: string, written?: string): string[] {
  try {
    if (written !== undefined) localStorage.setItem(name, written);
    return (localStorage.getItem(name) ?? "").split(" ");
  } catch {
    // Storage may be forbidden: then each tab beats.
    return [];
  }
}
