import type { CallResult } from "./response.ts";

/**
 * A call in progress. Await it for the typed value, or use `withResponse` to also
 * get the HTTP response.
 */
export class Call<T> extends Promise<T> {
  readonly #result: Promise<CallResult<T>>;

  constructor(result: Promise<CallResult<T>>) {
    // Extends Promise for linters and programs that check the class. The promise
    // itself never settles: `then`, which everything else uses, is overridden.
    super(() => undefined);
    this.#result = result;
  }

  /** Resolves to the value with the status, headers and body. */
  withResponse(): Promise<CallResult<T>> {
    return this.#result;
  }

  override then<Fulfilled = T, Rejected = never>(
    onfulfilled?: ((value: T) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onrejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    // Derived on demand: an unused promise would be reported as unhandled even
    // if the caller handles `withResponse`.
    return this.#result
      .then(({ value }) => value)
      .then(onfulfilled, onrejected);
  }

  // The inherited implementation would create another call.
  override finally(onfinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onfinally);
  }
}
