import type SqliteConnection from 'better-sqlite3';

/**
 * Who holds the idempotency keys of the last window, on SQLite. The table is a log in the order of commits, so that a commit writes
 * one page of it however many keys it takes; what finds a key in it is kept in memory (decision 0027).
 */
export interface RecentKeys {
  /** Learns what was committed since the last time, by this connection or any other. The first thing in a transaction. */
  catchUp(): void;
  /** The execution that took the key less than the window before `at` (epoch milliseconds). */
  holderOf(tenantId: string, keyHash: string, at: number): string | undefined;
  /** Gives the key to an execution. It stands once the transaction is committed. */
  take(tenantId: string, keyHash: string, executionId: string, at: number): void;
  /** The transaction since `catchUp` was committed. Without it, what it took is forgotten. */
  committed(): void;
}

interface Row {
  seq: number;
  tenant_id: string;
  key_hash: string;
  execution_id: string;
  created_at: number;
}

/** Rows whose keys end alike, by that end, for a part of the window. */
interface Generation {
  since: number;
  rows: Map<string, number | number[]>;
}

/** Digits of a key that lead to its row: short ones make small maps, and the row itself is compared with the whole key. */
const hintLength = 12;

/** A generation lasts a part of the window at least; one more than these parts are kept, and the one that is filled. */
const parts = 4;

/** @param windowMs how long a key is held, milliseconds */
export function createRecentKeys(connection: SqliteConnection.Database, windowMs: number): RecentKeys {
  const readAfter = connection.prepare('select * from idempotency where seq > ? order by seq');
  const readRow = connection.prepare('select * from idempotency where seq = ?');
  const insert = connection.prepare(
    'insert into idempotency (tenant_id, key_hash, execution_id, created_at) values (?, ?, ?, ?)',
  );
  const generations: Generation[] = [];
  /** Up to where the log is known, and up to where this transaction has written. */
  let known = 0;
  let written = 0;

  const remember = (keyHash: string, seq: number, at: number): void => {
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
        remember(key_hash, seq, created_at);
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
      remember(keyHash, Number(lastInsertRowid), at);
    },
    committed: () => {
      known = written;
    },
  };
}
