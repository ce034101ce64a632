interface Box<V> {
  value: V | undefined;
}

/**
 * A Map whose entries come and go by the thousand a second: runs that are live, calls under way, those who wait.
 *
 * V8 makes a Map a new table every few deletions, and the old table refers to the new one. Once a table has been moved among the old
 * objects, every later table is kept with all that its entries refer to, until the next full collection: whole runs that ended long
 * ago. Here a table refers to a box that is empty when its entry has been deleted (decision 0028).
 */
export class TransientMap<K, V> {
  readonly #boxes = new Map<K, Box<V>>();

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
  }

  clear(): void {
    for (const box of this.#boxes.values()) box.value = undefined;
    this.#boxes.clear();
  }

  /** The values at this moment, in the order in which their keys came: entries may be deleted while the caller goes through them. */
  values(): V[] {
    return Array.from(this.#boxes.values(), ({ value }) => value as V);
  }
}
