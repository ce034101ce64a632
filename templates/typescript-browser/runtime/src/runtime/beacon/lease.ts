import { newIdempotencyKey } from "../idempotency-key.ts";

/** Lease duration and renewal interval of a tab's turn, in milliseconds. */
const leaseMs = 90_000;
const renewEveryMs = 30_000;

/**
 * Calls back when this tab holds the lease of a name, until `signal` aborts. The
 * lease expires after its tab is closed.
 */
export function holdLease(
  name: string,
  granted: () => void,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  const id = newIdempotencyKey();
  const look = (): void => {
    const [holder, until] = lease(name);
    if (holder !== id && Number(until) > Date.now()) return;
    lease(name, `${id} ${String(Date.now() + leaseMs)}`);
    granted();
  };
  look();
  const timer = setInterval(look, renewEveryMs);
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    if (lease(name)[0] === id) lease(name, "");
  });
}

/**
 * Returns the holder of the lease and its expiry, taking the lease if possible.
 */
function lease(name: string, written?: string): string[] {
  try {
    if (written !== undefined) localStorage[name] = written;
    return String(localStorage[name]).split(" ");
  } catch {
    // Storage can be disabled. In that case, every tab sends requests.
    return [];
  }
}
