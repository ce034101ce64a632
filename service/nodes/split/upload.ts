/**
 * The input of a split stream. Once the whole input is read, its connection only waits for the response, and
 * losing the connection does no harm.
 */
interface Upload<T> {
  input: AsyncIterable<T>;
  /** Fires when the connection is lost before the whole input has been read. */
  cutOff: AbortSignal;
}

/** @param signal fires when the connection is lost */
export function watchUpload<T>(input: AsyncIterable<T>, signal: AbortSignal): Upload<T> {
  const cut = new AbortController();
  let isWhole = false;
  const lose = (): void => {
    if (!isWhole) cut.abort(signal.reason);
  };
  signal.addEventListener('abort', lose, { once: true });
  if (signal.aborted) lose();
  async function* read(): AsyncGenerator<T, void, undefined> {
    yield* input;
    // A body that is cut off may end as if it were complete.
    isWhole = !signal.aborted;
  }
  return { input: read(), cutOff: cut.signal };
}
