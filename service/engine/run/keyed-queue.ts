/** Runs work with the same key one at a time. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /**
   * Runs `work` once all earlier work with the key has ended.
   *
   * @param work receives whether it had to wait
   */
  async run<T>(key: string, work: (waited: boolean) => Promise<T>): Promise<T> {
    const earlier = this.#last.get(key);
    const running = earlier ? earlier.then(() => work(true)) : work(false);
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(key, ended);
    try {
      return await running;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}
