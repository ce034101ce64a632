import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/database.ts';
import { claimSealingKey, lockSealingKey, saveSealingKey } from '../../store/sealing-key.ts';
import { sealedRecords } from './sealed-records.ts';
import { fingerprintOf, SealingKeyError } from './sealing-key.ts';
import { openSecret, sealSecret, type SealedOwner } from './secret-cipher.ts';

interface KeyChange {
  /** The key to replace, 32 bytes. */
  from: Uint8Array;
  to: Uint8Array;
  clock: Clock;
}

/** The number of re-encrypted values. */
interface ChangedValues {
  secrets: number;
  tokens: number;
}

/** Some values cannot be decrypted with the old key, so the key was not changed. */
export class UnreadableSecretsError extends Error {
  override readonly name = 'UnreadableSecretsError';
  readonly owners: readonly SealedOwner[];

  constructor(owners: readonly SealedOwner[]) {
    super(`${owners.length} of the stored values cannot be read with the current key`);
    this.owners = owners;
  }
}

/**
 * Re-encrypts all secrets and deployment tokens with another key, in one transaction. Store the new key durably first: once this
 * returns, or possibly sooner after a crash, only the new key can decrypt the values.
 *
 * @returns `undefined` if they are already encrypted with the new key
 * @throws UnreadableSecretsError, or SealingKeyError if the old key is not the current one
 */
export async function changeKey(
  db: Database,
  { from, to, clock }: KeyChange,
): Promise<ChangedValues | undefined> {
  return db.transaction(async (tx) => {
    const [before, after] = [fingerprintOf(from), fingerprintOf(to)];
    await claimSealingKey(tx, before, clock.now());
    const current = await lockSealingKey(tx, 'update');
    if (current === after) return undefined;
    if (current !== before) {
      throw new SealingKeyError(
        'the key to change is not the one that encrypts the stored secrets: set SVC_SECRET_KEY to that key, or restore secret.key in the data folder',
      );
    }
    const changed: ChangedValues = { secrets: 0, tokens: 0 };
    const unreadable: SealedOwner[] = [];
    for await (const { place, owner, sealed, replace } of sealedRecords(tx)) {
      const value = openSecret(from, owner, sealed);
      if (value === undefined) unreadable.push(owner);
      else await replace(sealSecret(to, owner, value));
      changed[place] += 1;
    }
    if (unreadable.length > 0) throw new UnreadableSecretsError(unreadable);
    await saveSealingKey(tx, after, clock.now());
    return changed;
  });
}
