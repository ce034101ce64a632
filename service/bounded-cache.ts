/** Caches values by key, and drops the least recently used one beyond its size. */
export class BoundedCache<K, V> {
  readonly #size: number;
  // A Map keeps insertion order, so the first key is the least recently used.
  readonly #values = new Map<K, V>();
  /** The last key of the map. Moving it to the end again would make the map grow and copy itself. */
  #newest: K | undefined;

  /** @param size maximum number of values */
  constructor(size: number) {
    this.#size = size;
  }

  /** Returns the value of a key, which becomes the most recently used one, or `undefined`. */
  get(key: K): V | undefined {
    const found = this.#values.get(key);
    if (key !== this.#newest && (found !== undefined || this.#values.has(key))) this.set(key, found as V);
    return found;
  }

  /** Returns the value of a key, and calls `make` if it is not cached. If `make` throws, nothing is cached. */
  getOrMake(key: K, make: () => V): V {
    const found = this.#values.has(key) ? (this.#values.get(key) as V) : make();
    this.set(key, found);
    return found;
  }

  set(key: K, value: V): void {
    if (key !== this.#newest) this.#values.delete(key);
    this.#values.set(key, value);
    this.#newest = key;
    const oldest = this.#values.size > this.#size ? this.#values.keys().next() : undefined;
    if (oldest?.done === false) this.#values.delete(oldest.value);
  }

  delete(key: K): void {
    this.#values.delete(key);
    if (key === this.#newest) this.#newest = undefined;
  }
}
