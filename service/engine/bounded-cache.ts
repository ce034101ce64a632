/** Remembers what was made for a key, for the keys asked for most recently. */
export interface BoundedCache<K extends string, V> {
  /** The value of a key, made by `make` where it is not remembered. What throws is not remembered. */
  get(key: K, make: () => V): V;
}

/** @param size how many values are kept. */
export function createBoundedCache<K extends string, V>(size: number): BoundedCache<K, V> {
  // A Map keeps the order of insertion: the first key is the one asked for longest ago.
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
