import { newIdempotencyKey } from "../idempotency-key.ts";

/** Lease duration and renewal interval of a tab's turn, in milliseconds. */
const leaseMs = 90_000;
const renewEveryMs = 30_000;

/**
 * Calls back, possibly more than once, when it is this tab's turn among all
 * tabs of the origin that use the same name. Returns a function that ends the
 * turn. Uses a Web Lock, or a lease in local storage on pages served over plain
 * HTTP.
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
    // Frames without an origin have no locks and do not share turns.
    if (!signal.aborted) granted();
  });
  return () => {
    leaving.abort();
  };
}

/** Like `askTurn`, with a lease that expires after its tab is closed. */
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

/**
 * Returns the holder of the lease and its expiry, taking the lease if possible.
 */
function lease(name: string, written?: string): string[] {
  try {
    if (written !== undefined) localStorage[name] = written;
    return String(localStorage[name]).split(" ");
  } catch {
    // Storage can be disabled. Then every tab sends requests.
    return [];
  }
}
