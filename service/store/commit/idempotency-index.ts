import type SqliteConnection from 'better-sqlite3';

/**
 * An in-memory index of SQLite's idempotency keys. The table is a log in commit order, so that a commit writes a single page
 * regardless of how many keys it takes. Decision 0027 explains why the index is not in the database.
 */
export interface IdempotencyIndex {
  /**
   * Reads the keys that any connection has committed since the last call. Call it at the start of each transaction.
   */
  catchUp(): void;
  /** Returns the execution that took the key within the window before `at` (epoch milliseconds). */
  holderOf(tenantId: string, keyHash: string, at: number): string | undefined;
  /** Records the key for an execution. Valid once the transaction is committed. */
  take(tenantId: string, keyHash: string, executionId: string, at: number): void;
  /** Confirms that the transaction was committed. Otherwise the next `catchUp` treats it as rolled back. */
  committed(): void;
}

interface Row {
  seq: number;
  tenant_id: string;
  key_hash: string;
  execution_id: string;
  created_at: number;
}

/** The rows of a part of the window, by the last characters of their keys. */
interface Generation {
  since: number;
  rows: Map<string, number | number[]>;
}

/** Length of the key suffix that the index stores. Short suffixes save memory; the row contains the whole key for comparison. */
const hintLength = 12;

/** A generation covers at least this fraction of the window. The index keeps one more generation, and the current one. */
const parts = 4;

/**
 * Creates an empty index.
 *
 * @param windowMs lifetime of a key, in milliseconds
 */
export function createIdempotencyIndex(
  connection: SqliteConnection.Database,
  windowMs: number,
): IdempotencyIndex {
  const readAfter = connection.prepare('select * from idempotency where seq > ? order by seq');
  const readRow = connection.prepare('select * from idempotency where seq = ?');
  const insert = connection.prepare(
    'insert into idempotency (tenant_id, key_hash, execution_id, created_at) values (?, ?, ?, ?)',
  );
  const generations: Generation[] = [];
  /** Last committed `seq` in the index, and last `seq` of this transaction. */
  let known = 0;
  let written = 0;

  const add = (keyHash: string, seq: number, at: number): void => {
    let current = generations.at(-1);
    if (!current || at - current.since >= windowMs / parts) {
      generations.push((current = { since: at, rows: new Map() }));
      if (generations.length > parts + 2) generations.shift();
    }
    const hint = keyHash.slice(-hintLength);
    const others = current.rows.get(hint);
    current.rows.set(hint, others === undefined ? seq : [others, seq].flat());
    written = seq;
  };

  return {
    catchUp: () => {
      for (const { seq, key_hash, created_at } of readAfter.iterate(known) as IterableIterator<Row>) {
        add(key_hash, seq, created_at);
        known = seq;
      }
      written = known;
    },
    holderOf: (tenantId, keyHash, at) => {
      const hint = keyHash.slice(-hintLength);
      for (const { rows } of generations) {
        const held = rows.get(hint);
        if (held === undefined) continue;
        for (const seq of [held].flat()) {
          const row = readRow.get(seq) as Row | undefined;
          if (row?.key_hash !== keyHash || row.tenant_id !== tenantId) continue;
          if (row.created_at > at - windowMs) return row.execution_id;
        }
      }
      return undefined;
    },
    take: (tenantId, keyHash, executionId, at) => {
      const { lastInsertRowid } = insert.run(tenantId, keyHash, executionId, at);
      add(keyHash, Number(lastInsertRowid), at);
    },
    committed: () => {
      known = written;
    },
  };
}
