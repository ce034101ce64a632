/**
 * Calls back, possibly more than once, when it is this tab's turn among all
 * tabs of the origin that use the same name. Returns a function that ends the
 * turn. Uses a Web Lock, or a lease in local storage on pages served over plain
 * HTTP.
 */
export function askTurn(name: string, granted: () => void): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const left = new Promise((resolve) => {
    signal.onabort = resolve;
  });
  const hold = (): Promise<unknown> => {
    granted();
    return left;
  };
  const asked: Promise<unknown> =
    "locks" in navigator
      ? navigator.locks.request(name, { signal }, hold)
      : import("./lease.ts").then(({ holdLease }) => {
          holdLease(name, granted, signal);
        });
  asked.catch(() => {
    // Frames without an origin have no locks and do not share turns.
    if (!signal.aborted) granted();
  });
  return () => {
    leaving.abort();
  };
}
