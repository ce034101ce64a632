/** What was made for a key, as far as there is room: the most recently used stays. */
export interface ByteCache<Value> {
  /** The value of a key, made by `make` where it is not kept. Who asks at once shares one making; what throws is not kept. */
  get(key: string, make: () => Promise<Value>): Promise<Value>;
}

export interface ByteCacheOptions<Value> {
  /** What the kept values may take together. A larger one is made each time. */
  keptBytes: number;
  sizeOf: (value: Value) => number;
}

export function createByteCache<Value>({ keptBytes, sizeOf }: ByteCacheOptions<Value>): ByteCache<Value> {
  // A Map keeps the order of insertion: the first key is the one asked for longest ago.
  const kept = new Map<string, { value: Value; bytes: number }>();
  const making = new Map<string, Promise<Value>>();
  let bytes = 0;

  const forget = (key: string): void => {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };

  const keep = (key: string, value: Value, size: number): void => {
    forget(key);
    if (size > keptBytes) return;
    kept.set(key, { value, bytes: size });
    bytes += size;
    for (const oldest of kept.keys()) {
      if (bytes <= keptBytes) break;
      forget(oldest);
    }
  };

  return {
    get: async (key, make) => {
      const known = kept.get(key);
      if (known) {
        keep(key, known.value, known.bytes);
        return known.value;
      }
      const asked = making.get(key);
      if (asked) return asked;
      const made = make().finally(() => making.delete(key));
      making.set(key, made);
      const value = await made;
      keep(key, value, sizeOf(value));
      return value;
    },
  };
}

/** Strings take two bytes a character at most. */
export function textBytes(text: string): number {
  return 2 * text.length;
}
