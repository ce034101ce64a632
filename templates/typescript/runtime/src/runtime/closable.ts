/** An object that can be closed. */
interface Closable {
  close(): Promise<void>;
}

/**
 * The method that `await using` calls to close an object. Its symbol is missing
 * in older type libraries and on older platforms.
 */
export type AsyncClosing = SymbolConstructor extends {
  readonly asyncDispose: infer Dispose extends symbol;
}
  ? Record<Dispose, () => Promise<void>>
  : object;

/** Makes an object usable with `await using`, where the platform supports it. */
export function closable<Closed extends Closable>(
  closed: Closed,
): Closed & AsyncClosing {
  const { asyncDispose } = Symbol as { asyncDispose?: symbol };
  const method = asyncDispose && { [asyncDispose]: () => closed.close() };
  return Object.assign(closed, method as AsyncClosing);
}
