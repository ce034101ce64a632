import type { Tx } from './database.ts';
import { findRecord, insertRecords } from './records.ts';
import { bigInteger, defineTable, nullable, text } from './table.ts';

/** A login of the command line that waits for its approval, or for the poll that fetches its key. */
export interface Login {
  /** SHA-256 of the secret that polls for the key, lower-case hex. */
  secretHash: string;
  /** The code that a human reads and an operator approves. */
  code: string;
  /** IP address that requested the login. */
  address: string;
  createdAt: number;
  expiresAt: number;
  /** The tenant for which the login is approved. `null` until then. */
  tenantId: string | null;
}

const logins = defineTable<Login>('logins', {
  secretHash: text(),
  code: text(),
  address: text(),
  createdAt: bigInteger(),
  expiresAt: bigInteger(),
  tenantId: nullable(text()),
});

/** Unique index over the code. */
export const codeTaken = 'logins_code_unique';

/** Stores a login. Fails with a violation of `codeTaken` if a stored login has the code, even an expired one. */
export async function insertLogin(tx: Tx, login: Login): Promise<void> {
  await insertRecords(tx, logins, [login]);
}

/** Returns the login unless it has expired or was used. */
export async function findLogin(tx: Tx, secretHash: string, now: number): Promise<Login | undefined> {
  const found = await findRecord(tx, logins, { secretHash });
  return found && found.expiresAt > now ? found : undefined;
}

/**
 * Approves the pending login with the code, and returns it. It is then valid until `expiresAt`. Returns undefined if no pending
 * login has the code.
 */
export async function approveLogin(
  tx: Tx,
  { code, tenantId, now, expiresAt }: { code: string; tenantId: string; now: number; expiresAt: number },
): Promise<Login | undefined> {
  const count = await tx(logins.name)
    .where({ code, tenant_id: null })
    .where('expires_at', '>', now)
    .update({ tenant_id: tenantId, expires_at: expiresAt });
  return count > 0 ? findRecord(tx, logins, { code }) : undefined;
}

/** Removes an approved login. Exactly one of several concurrent callers gets true. */
export async function takeApprovedLogin(tx: Tx, secretHash: string, now: number): Promise<boolean> {
  const count = await tx(logins.name)
    .where({ secret_hash: secretHash })
    .whereNotNull('tenant_id')
    .where('expires_at', '>', now)
    .delete();
  return count > 0;
}
