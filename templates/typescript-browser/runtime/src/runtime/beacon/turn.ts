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
  const left = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => {
      resolve();
    });
  });
  const hold = (): Promise<void> => {
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
  let isHolder = false;
  const look = (): void => {
    const [holder, until] = readLease(name);
    if (holder !== id && until > Date.now()) return;
    writeLease(name, `${id} ${String(Date.now() + leaseMs)}`);
    if (isHolder) return;
    isHolder = true;
    granted();
  };
  look();
  const timer = setInterval(look, renewEveryMs);
  return () => {
    clearInterval(timer);
    if (readLease(name)[0] === id) writeLease(name, "");
  };
}

/** Who holds the turn, and until when. */
function readLease(name: string): [holder: string, until: number] {
  try {
    const [holder = "", until] = (localStorage.getItem(name) ?? "").split(" ");
    return [holder, Number(until)];
  } catch {
    // Storage may be forbidden: then each tab beats.
    return ["", 0];
  }
}

function writeLease(name: string, lease: string): void {
  try {
    localStorage.setItem(name, lease);
  } catch {
    // As above.
  }
}
