/** Caches values by key, and drops the least recently used. */
interface BoundedCache<K extends string, V> {
  /** Returns the value of a key, and calls `make` if it is not cached. If `make` throws, nothing is cached. */
  get(key: K, make: () => V): V;
}

/** @param size maximum number of values */
export function createBoundedCache<K extends string, V>(size: number): BoundedCache<K, V> {
  // A Map keeps insertion order, so the first key is the least recently used.
  const values = new Map<K, V>();
  return {
    get(key, make) {
      const found = values.has(key) ? (values.get(key) as V) : make();
      values.delete(key);
      values.set(key, found);
      const [oldest] = values.keys();
      if (values.size > size && oldest !== undefined) values.delete(oldest);
      return found;
    },
  };
}
