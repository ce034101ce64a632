import { isPostgres, type Tx } from './database.ts';

const table = 'sealing_key';

interface Row {
  id: string;
  fingerprint: string;
  changed_at: number | string;
}

function ofOnlyKey(tx: Tx) {
  return tx<Row>(table).where({ id: 'current' });
}

/** Returns the fingerprint of the key that encrypts secrets and tokens, or `undefined` if nothing was encrypted yet. */
export async function findSealingKey(tx: Tx): Promise<string | undefined> {
  const row = await ofOnlyKey(tx).first();
  return row?.fingerprint;
}

/**
 * Like `findSealingKey`, but locks the key, which cannot change until the end of the transaction.
 *
 * @param mode `share` for a transaction that encrypts, `update` for the one that changes the key
 */
export async function lockSealingKey(tx: Tx, mode: 'share' | 'update'): Promise<string | undefined> {
  // SQLite has one writer at a time.
  if (!isPostgres(tx)) return findSealingKey(tx);
  const query = ofOnlyKey(tx);
  const row = await (mode === 'share' ? query.forShare() : query.forUpdate()).first();
  return row?.fingerprint;
}

/** Stores the fingerprint if there is none yet. Of several concurrent processes, only the first one stores it. */
export async function claimSealingKey(tx: Tx, fingerprint: string, at: number): Promise<void> {
  await tx<Row>(table).insert({ id: 'current', fingerprint, changed_at: at }).onConflict('id').ignore();
}

/** Replaces the fingerprint. The transaction has locked it. */
export async function saveSealingKey(tx: Tx, fingerprint: string, at: number): Promise<void> {
  await ofOnlyKey(tx).update({ fingerprint, changed_at: at });
}
