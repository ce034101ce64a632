interface Box<V> {
  value: V | undefined;
}

/** Number of deletions after which the Map is replaced, so that a busy Map is discarded before it is promoted. */
const renewedAfter = 64;

/**
 * A Map for entries that live briefly and change thousands of times per second, such as active runs and pending calls.
 *
 * V8 rehashes a Map every few deletions, and the old table refers to the new one. Once an old table is promoted to the old
 * generation, it keeps every later table and all their entries alive until the next full collection: runs that ended long ago. A
 * TransientMap stores each value in a box, which it empties when the entry is deleted. It also periodically moves its entries to
 * a new Map, because the tables and keys alone would promote half a kilobyte per run. Decision 0028 has the measurements.
 */
export class TransientMap<K, V> {
  #boxes = new Map<K, Box<V>>();
  #deletions = 0;

  get size(): number {
    return this.#boxes.size;
  }

  has(key: K): boolean {
    return this.#boxes.has(key);
  }

  get(key: K): V | undefined {
    return this.#boxes.get(key)?.value;
  }

  set(key: K, value: V): void {
    const box = this.#boxes.get(key);
    if (box) box.value = value;
    else this.#boxes.set(key, { value });
  }

  delete(key: K): void {
    const box = this.#boxes.get(key);
    if (!box) return;
    box.value = undefined;
    this.#boxes.delete(key);
    this.#deletions += 1;
    if (this.#deletions < Math.max(renewedAfter, this.#boxes.size)) return;
    this.#boxes = new Map(this.#boxes);
    this.#deletions = 0;
  }

  clear(): void {
    for (const box of this.#boxes.values()) box.value = undefined;
    this.#boxes.clear();
  }

  /** Returns a snapshot of the values in insertion order, so that callers may delete entries while they iterate. */
  values(): V[] {
    return Array.from(this.#boxes.values(), ({ value }) => value as V);
  }
}
