/** What has a method to be closed. */
interface Closable {
  close(): Promise<void>;
}

/**
 * The method by which `await using` closes an object. It is named by a symbol
 * that older libraries of types and older platforms do not have.
 */
export type AsyncClosing = SymbolConstructor extends {
  readonly asyncDispose: infer Dispose extends symbol;
}
  ? Record<Dispose, () => Promise<void>>
  : object;

/** Lets `await using` close an object, where the platform has it. */
export function closable<Closed extends Closable>(
  closed: Closed,
): Closed & AsyncClosing {
  const { asyncDispose } = Symbol as { asyncDispose?: symbol };
  const method = asyncDispose && { [asyncDispose]: () => closed.close() };
  return Object.assign(closed, method as AsyncClosing);
}
