/** Texts of documents by key, the most recently used ones. */
export interface DocumentCache {
  /** The text of a key, made by `make` where it is not kept. Callers that ask at once share one making. */
  get(key: string, make: () => Promise<string>): Promise<string>;
}

/** Documents are made of what never changes, so they are kept until others need the room. */
export const keptDocumentBytes = 64 * 2 ** 20;

/** @param keptBytes what the kept texts may take, counted as UTF-16. */
export function createDocumentCache(keptBytes = keptDocumentBytes): DocumentCache {
  // A Map keeps the order of insertion: the first key is the one asked for longest ago.
  const kept = new Map<string, string>();
  const making = new Map<string, Promise<string>>();
  let bytes = 0;

  const keep = (key: string, text: string): void => {
    forget(key);
    if (2 * text.length > keptBytes) return;
    kept.set(key, text);
    bytes += 2 * text.length;
    for (const oldest of kept.keys()) {
      if (bytes <= keptBytes) break;
      forget(oldest);
    }
  };

  const forget = (key: string): void => {
    bytes -= 2 * (kept.get(key)?.length ?? 0);
    kept.delete(key);
  };

  return {
    get: async (key, make) => {
      const known = kept.get(key);
      if (known !== undefined) {
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      const made = making.get(key) ?? make().finally(() => making.delete(key));
      making.set(key, made);
      const text = await made;
      keep(key, text);
      return text;
    },
  };
}
