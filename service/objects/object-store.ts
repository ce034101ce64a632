/**
 * Durable storage of byte strings by key, for data too large for a database row. Replicas of a service share one store.
 *
 * Keys are segments joined by `/`, such as `01J9T/01J9C/3/go-5f2a.zip`; `object-key.ts` defines the grammar. A key must not be
 * the beginning of another at a `/`: a store may refuse `a/b` next to `a`.
 *
 * Every implementation passes `test/service/objects/object-store-contract.ts`.
 */
export interface ObjectStore {
  /**
   * Stores the bytes under the key and replaces earlier ones. Atomic: readers get all of the old bytes or all of the new ones,
   * even after a crash. Durable: once the promise resolves, the object survives a power failure. Idempotent: repeating a put is
   * safe.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Returns the object's bytes, or `undefined` if the store has no such key. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Deletes the object. Succeeds if the store has no such key. */
  delete(key: string): Promise<void>;
  /**
   * Deletes every object under a prefix that ends in `/`, with the remains of interrupted puts. Succeeds if there are none.
   * An object that is put under the prefix at the same time may be deleted, kept, or refused.
   */
  deleteAll(prefix: string): Promise<void>;
  /** Returns the keys that start with the prefix, in ascending order. The empty prefix selects every key. */
  list(prefix: string): Promise<string[]>;
  /** Rejects unless bytes can be stored durably now. Costs a small write. */
  check(): Promise<void>;
}
