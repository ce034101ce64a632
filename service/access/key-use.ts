import { type ApiKey, touchApiKey } from '../store/api-keys.ts';
import type { Database } from '../store/database.ts';

/** Updates `last_used_at` of keys in batches instead of once per request. A batch stores the latest use of each key. */
export interface KeyUse {
  note(key: Pick<ApiKey, 'tenantId' | 'id'>, at: number): void;
  /** Stores the uses collected so far. */
  flush(): Promise<void>;
  /** Stops the timer and flushes. */
  close(): Promise<void>;
}

interface KeyUseOptions {
  db: Database;
  /** Maximum delay before a use is stored, in milliseconds. */
  flushMs?: number;
  /** Receives the error of a failed flush. Its uses are lost, which affects only `last_used_at`. */
  onError: (error: unknown) => void;
}

export function createKeyUse({ db, flushMs = 10_000, onError }: KeyUseOptions): KeyUse {
  let uses = new Map<string, { tenantId: string; id: string; at: number }>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const collected = [...uses.values()];
    uses = new Map();
    if (collected.length === 0) return;
    try {
      await db.transaction(async (tx) => {
        for (const { tenantId, id, at } of collected) await touchApiKey(tx, tenantId, id, at);
      });
    } catch (error) {
      onError(error);
    }
  }

  return {
    note({ tenantId, id }, at) {
      uses.set(id, { tenantId, id, at });
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
    flush,
    close: flush,
  };
}
