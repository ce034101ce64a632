import { createHmac } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Tx } from '../../store/database.ts';
import { claimSealingKey, findSealingKey, lockSealingKey, saveSealingKey } from '../../store/sealing-key.ts';
import { sealedRecords } from './sealed-records.ts';
import { openSecret } from './secret-cipher.ts';

/** The process does not have the key that encrypts the stored secrets. The message says what to do. */
export class SealingKeyError extends Error {
  override readonly name = 'SealingKeyError';
}

interface SealingKeyOptions {
  /** 32 bytes. */
  key: Uint8Array;
  clock: Clock;
}

/** Identifies a key without revealing it, 32 hex characters. */
export function fingerprintOf(key: Uint8Array): string {
  return createHmac('sha256', key).update('svc sealing key').digest('hex').slice(0, 32);
}

/**
 * Ensures, until the end of the transaction, that all secrets and tokens are encrypted with one key, and that
 * this is the key. A process that still has the old key after `svc secret rekey` therefore stores nothing
 * that others cannot read.
 *
 * @throws SealingKeyError
 */
export async function requireSealingKey(tx: Tx, { key, clock }: SealingKeyOptions): Promise<void> {
  const own = fingerprintOf(key);
  if ((await lockSealingKey(tx, 'share')) === own) return;
  await claimSealingKey(tx, own, clock.now());
  const stored = await lockSealingKey(tx, 'update');
  // The values may come from a release that stored no fingerprint, or all values of a lost key may have been deleted.
  for await (const { owner, sealed } of sealedRecords(tx)) {
    if (stored !== own || openSecret(key, owner, sealed) === undefined) throw otherKey();
    break;
  }
  if (stored !== own) await saveSealingKey(tx, own, clock.now());
}

/** Reports whether secrets and tokens are encrypted with another key than this one. */
export async function hasOtherSealingKey(tx: Tx, key: Uint8Array): Promise<boolean> {
  const stored = await findSealingKey(tx);
  return stored !== undefined && stored !== fingerprintOf(key);
}

function otherKey(): SealingKeyError {
  return new SealingKeyError(
    'the stored secrets are encrypted with another key: restart with the current key (SVC_SECRET_KEY, or secret.key in the data folder); if it is lost, delete all secrets and deployment tokens first',
  );
}
