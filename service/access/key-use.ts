import { type ApiKey, type ApiKeyUse, touchApiKeys } from '../store/api-keys.ts';
import type { Database } from '../store/database.ts';
import { loopTurns } from '../work/turn-budget.ts';

/** Keys per statement. SQLite updates synchronously, so the event loop gets a turn between statements. */
const keysAtOnce = 200;

/** Updates `last_used_at` of keys in batches instead of once per request. A batch stores the latest use of each key. */
export interface KeyUse {
  note(key: Pick<ApiKey, 'tenantId' | 'id'>, at: number): void;
  /** Stops the timer, and stores the uses collected so far. */
  close(): Promise<void>;
}

interface KeyUseOptions {
  db: Database;
  /** Maximum delay before a use is stored, in milliseconds. */
  flushMs?: number;
  /** Receives the error of a failed flush. Its uses are lost, which affects only `last_used_at`. */
  onError: (error: unknown) => void;
}

/** Keeps the uses in memory until the next flush, so a crash loses those of the last `flushMs`. */
export function createKeyUse({ db, flushMs = 10_000, onError }: KeyUseOptions): KeyUse {
  let uses = new Map<string, ApiKeyUse>();
  let timer: NodeJS.Timeout | undefined;

  let flushing = Promise.resolve();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const collected = [...uses.values()];
    uses = new Map();
    flushing = flushing.then(() => store(collected));
    return flushing;
  }

  async function store(collected: readonly ApiKeyUse[]): Promise<void> {
    try {
      // Not in a transaction, because the uses of different keys are independent.
      for (let start = 0; start < collected.length; start += keysAtOnce) {
        await touchApiKeys(db.knex, collected.slice(start, start + keysAtOnce));
        await loopTurns.yieldIfSpent();
      }
    } catch (error) {
      onError(error);
    }
  }

  return {
    note({ tenantId, id }, at) {
      uses.set(id, { tenantId, id, at });
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
    close: flush,
  };
}
