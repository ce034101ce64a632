import type { MadeDocument } from './document-worker.ts';

/** Generated documents. The least recently used one is dropped first. */
interface DocumentCache {
  /** Returns the document of a key, and calls `make` if it is not cached. Concurrent calls share one `make`. Failures are not cached. */
  get(key: string, make: () => Promise<MadeDocument>): Promise<MadeDocument>;
}

/** @param maxBytes total size of the cached documents. A larger document is made on each call. */
export function createDocumentCache(maxBytes: number): DocumentCache {
  // A Map iterates in insertion order, so the first key is the least recently used.
  const cached = new Map<string, MadeDocument>();
  const pending = new Map<string, Promise<MadeDocument>>();
  let totalBytes = 0;

  const remove = (key: string): void => {
    totalBytes -= cached.get(key)?.bytes.length ?? 0;
    cached.delete(key);
  };

  const add = (key: string, document: MadeDocument): void => {
    remove(key);
    if (document.bytes.length > maxBytes) return;
    cached.set(key, document);
    totalBytes += document.bytes.length;
    for (const oldest of cached.keys()) {
      if (totalBytes <= maxBytes) break;
      remove(oldest);
    }
  };

  const makeOnce = async (key: string, make: () => Promise<MadeDocument>): Promise<MadeDocument> => {
    try {
      const document = await make();
      add(key, document);
      return document;
    } finally {
      pending.delete(key);
    }
  };

  return {
    get: (key, make) => {
      const found = cached.get(key);
      if (found) {
        add(key, found);
        return Promise.resolve(found);
      }
      let made = pending.get(key);
      if (!made) pending.set(key, (made = makeOnce(key, make)));
      return made;
    },
  };
}
