import type { CallResult } from "./answer.ts";

/**
 * A call on its way. Awaiting it gives the typed value; `withAnswer` gives the
 * HTTP answer beside it.
 */
export class Call<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Call";
  readonly #result: Promise<CallResult<T>>;

  constructor(result: Promise<CallResult<T>>) {
    this.#result = result;
  }

  /** The value together with status, headers and body of the answer. */
  withAnswer(): Promise<CallResult<T>> {
    return this.#result;
  }

  then<Fulfilled = T, Rejected = never>(
    onfulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#value().then(onfulfilled, onrejected);
  }

  catch<Rejected = never>(
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<T | Rejected> {
    return this.#value().catch(onrejected);
  }

  finally(onfinally?: (() => void) | null): Promise<T> {
    return this.#value().finally(onfinally);
  }

  // Derived when asked for: a promise that nobody awaits would be reported as
  // unhandled, although the caller handles `withAnswer`.
  #value(): Promise<T> {
    return this.#result.then((result) => result.value);
  }
}
