import { type ApiKey, touchApiKey } from '../store/api-keys.ts';
import type { Database } from '../store/database.ts';

/** Keeps `last_used_at` of keys without a write a request: uses are gathered and stored together, the latest of each key. */
export interface KeyUse {
  note(key: Pick<ApiKey, 'tenantId' | 'id'>, at: number): void;
  /** Stores what was gathered so far. */
  flush(): Promise<void>;
  /** Stops the timer and flushes. */
  close(): Promise<void>;
}

export interface KeyUseOptions {
  db: Database;
  /** How long a use may wait to be stored. */
  flushMs?: number;
  /** Hears of a flush that failed; its uses are lost, which costs no caller anything. */
  onError: (error: unknown) => void;
}

export function createKeyUse({ db, flushMs = 10_000, onError }: KeyUseOptions): KeyUse {
  let uses = new Map<string, { tenantId: string; id: string; at: number }>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const gathered = [...uses.values()];
    uses = new Map();
    if (gathered.length === 0) return;
    try {
      await db.transaction(async (tx) => {
        for (const { tenantId, id, at } of gathered) await touchApiKey(tx, tenantId, id, at);
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
