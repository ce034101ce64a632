/** The latest read of a resource, shared by all callers with the same key. A failed read is repeated. */
export class SharedRead<Value> {
  #key: number | undefined;
  #value: Promise<Value> | undefined;

  /** @param key the same for reads with the same result */
  get(key: number, read: () => Promise<Value>): Promise<Value> {
    if (this.#value && this.#key === key) return this.#value;
    const value = read();
    this.#key = key;
    this.#value = value;
    value.catch(() => {
      if (this.#value === value) this.#value = undefined;
    });
    return value;
  }
}
