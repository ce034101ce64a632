import { TransientMap } from '../../transient-map.ts';
import type { Database } from '../database.ts';

/** A read that is identified by its keys. */
type KeyedRead<Keys extends (string | number)[], T> = (db: Database, ...keys: Keys) => Promise<T>;

/**
 * Combines reads with equal keys in one turn of the event loop. The read runs at the end of the turn, so that every
 * caller sees what was committed before its call. Callers share the result and must not modify it.
 */
export function coalesceReads<Keys extends (string | number)[], T>(
  read: KeyedRead<Keys, T>,
): KeyedRead<Keys, T> {
  const pendingReads = new WeakMap<Database, TransientMap<string, Promise<T>>>();
  return (db, ...keys) => {
    let reads = pendingReads.get(db);
    if (!reads) pendingReads.set(db, (reads = new TransientMap<string, Promise<T>>()));
    const pending = reads;
    const name = keys.length === 1 ? String(keys[0]) : JSON.stringify(keys);
    const known = pending.get(name);
    if (known) return known;
    const reading = new Promise(setImmediate).then(() => {
      pending.delete(name);
      return read(db, ...keys);
    });
    pending.set(name, reading);
    return reading;
  };
}
