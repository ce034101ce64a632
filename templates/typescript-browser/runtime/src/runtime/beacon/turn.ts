import { newIdempotencyKey } from "../idempotency-key.ts";

/** How long a tab keeps its turn without renewing it, and how often it does, in milliseconds. */
const leaseMs = 90_000;
const renewEveryMs = 30_000;

/**
 * Calls back when it is this tab's turn among all tabs of the origin that ask by
 * the same name, perhaps more than once, and gives what ends the turn. By a lock, where pages have them
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
  const look = (): void => {
    const [holder, until] = lease(name);
    if (holder !== id && Number(until) > Date.now()) return;
    lease(name, `${id} ${String(Date.now() + leaseMs)}`);
    granted();
  };
  look();
  const timer = setInterval(look, renewEveryMs);
  return () => {
    clearInterval(timer);
    if (lease(name)[0] === id) lease(name, "");
  };
}

/** Who holds the turn and until when, after it is written if it has to be. */
function lease(name: string, written?: string): string[] {
  try {
    if (written !== undefined) localStorage[name] = written;
    return String(localStorage[name]).split(" ");
  } catch {
    // Storage may be forbidden: then each tab beats.
    return [];
  }
}
