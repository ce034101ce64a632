import type { Clock } from '../../clock.ts';
import type { Tx } from '../../store/database.ts';
import { findSecrets, listSecrets, saveSecret } from '../../store/secrets.ts';
import { openSecret, sealSecret } from './secret-cipher.ts';

/** Tenants' secrets. Values go in by the operator and out to nodes that declare them, never over the API. */
export interface SecretStore {
  set(tenantId: string, name: string, value: string): Promise<void>;
  /** What the tenant has configured. */
  names(tenantId: string): Promise<ReadonlySet<string>>;
  /**
   * Values by name; names that are not configured are left out.
   *
   * @throws SecretUnreadableError
   */
  values(tenantId: string, names: readonly string[]): Promise<Record<string, string>>;
}

/** A secret was sealed by another key than the one in use. */
export class SecretUnreadableError extends Error {
  override readonly name = 'SecretUnreadableError';
}

export interface SecretStoreOptions {
  tx: Tx;
  clock: Clock;
  /** 32 bytes (`loadSecretKey`). */
  key: Uint8Array;
}

export function createSecretStore({ tx, clock, key }: SecretStoreOptions): SecretStore {
  return {
    set: async (tenantId, name, value) => {
      const now = clock.now();
      const sealed = sealSecret(key, { tenantId, name }, value);
      const times = { createdAt: now, updatedAt: now, armedUntil: null };
      await saveSecret(tx, { tenantId, name, sealed, ...times });
    },
    names: async (tenantId) => new Set((await listSecrets(tx, tenantId)).map((one) => one.name)),
    values: async (tenantId, names) => {
      if (names.length === 0) return {};
      const found = await findSecrets(tx, tenantId, names);
      const values = found.map(({ name, sealed }): [string, string] => {
        const value = openSecret(key, { tenantId, name }, sealed);
        if (value !== undefined) return [name, value];
        throw new SecretUnreadableError(
          `secret "${name}" was stored under another key: set SVC_SECRET_KEY to that one, or store it again with svc secret set`,
        );
      });
      return Object.fromEntries(values);
    },
  };
}
