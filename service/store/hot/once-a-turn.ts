import { TransientMap } from '../../transient-map.ts';
import type { Database } from '../database.ts';

/** A read by its keys. */
export type KeyedRead<T> = (db: Database, ...keys: string[]) => Promise<T>;

/**
 * Makes a read of the call path once for everybody who asks for the same in one turn of the event loop. It is made at the turn's
 * end, so that each of them sees what was committed before they asked. They share the result: nobody may change it.
 */
export function onceATurn<T>(read: KeyedRead<T>): KeyedRead<T> {
  const asked = new WeakMap<Database, TransientMap<string, Promise<T>>>();
  return (db, ...keys) => {
    let reads = asked.get(db);
    if (!reads) asked.set(db, (reads = new TransientMap<string, Promise<T>>()));
    const pending = reads;
    const name = JSON.stringify(keys);
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
