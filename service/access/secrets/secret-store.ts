import type { Clock } from '../../clock.ts';
import type { Tx } from '../../store/database.ts';
import { findSecrets, listSecrets, saveSecret } from '../../store/secrets.ts';
import { requireSealingKey } from './sealing-key.ts';
import { openSecret, sealSecret } from './secret-cipher.ts';

/** Secrets of tenants. The operator sets values, and nodes that require them receive them. The API never returns values. */
export interface SecretStore {
  /** @throws SealingKeyError if other secrets are encrypted with another key */
  set(tenantId: string, name: string, value: string): Promise<void>;
  /** Returns the names of the configured secrets. */
  names(tenantId: string): Promise<ReadonlySet<string>>;
  /** Returns the given names whose secrets are configured but not armed for development runs. */
  unarmed(tenantId: string, names: readonly string[]): Promise<string[]>;
  /**
   * Returns values by name, without names that are not configured.
   *
   * @throws SecretUnreadableError
   */
  values(tenantId: string, names: readonly string[]): Promise<Record<string, string>>;
}

/** A secret was encrypted with another key. */
export class SecretUnreadableError extends Error {
  override readonly name = 'SecretUnreadableError';
}

interface SecretStoreOptions {
  tx: Tx;
  clock: Clock;
  /** 32 bytes, from `loadSecretKey`. */
  key: Uint8Array;
}

/**
 * Stores values encrypted with `key` and bound to their tenant and name. Replacing a value keeps the time
 * until which it is armed.
 */
export function createSecretStore({ tx, clock, key }: SecretStoreOptions): SecretStore {
  return {
    set: async (tenantId, name, value) => {
      const now = clock.now();
      const sealed = sealSecret(key, { tenantId, name }, value);
      const times = { createdAt: now, updatedAt: now, armedUntil: null };
      await tx.transaction(async (inner) => {
        await requireSealingKey(inner, { key, clock });
        await saveSecret(inner, { tenantId, name, sealed, ...times });
      });
    },
    names: async (tenantId) => new Set((await listSecrets(tx, tenantId)).map((one) => one.name)),
    unarmed: async (tenantId, names) => {
      const now = clock.now();
      const found = await findSecrets(tx, tenantId, names);
      return found
        .filter(({ armedUntil }) => armedUntil === null || armedUntil <= now)
        .map(({ name }) => name);
    },
    values: async (tenantId, names) => {
      if (names.length === 0) return {};
      const found = await findSecrets(tx, tenantId, names);
      const values = found.map(({ name, sealed }): [string, string] => {
        const value = openSecret(key, { tenantId, name }, sealed);
        if (value !== undefined) return [name, value];
        throw new SecretUnreadableError(
          `secret "${name}" was encrypted with another key: restart the service with the current key (SVC_SECRET_KEY, or secret.key in the data folder), or, if that key is lost, delete all secrets with svc secret delete and store them again`,
        );
      });
      return Object.fromEntries(values);
    },
  };
}
