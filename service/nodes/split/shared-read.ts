/** The last read of something, for all who want the same one. A read that has failed is repeated. */
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
