import { limits } from '../../specs/limits.ts';
import { scopes } from '../../specs/operations/operation.ts';
import type { Clock } from '../clock.ts';
import type { Ids } from '../ids.ts';
import type { ApiKey } from '../store/api-keys.ts';
import type { Database, Tx } from '../store/database.ts';
import { isUniqueViolation } from '../store/database-errors.ts';
import {
  approveLogin as storeApproval,
  codeTaken,
  findLogin,
  insertLogin,
  type Login,
  takeApprovedLogin,
} from '../store/logins.ts';
import { findTenant, type Tenant } from '../store/tenants.ts';
import { hashSecret } from './api-key-secret.ts';
import { createApiKey } from './create-api-key.ts';

interface LoginOptions {
  db: Database;
  clock: Clock;
  ids: Ids;
}

const secretBytes = 32;

/** Consonants that do not look like digits: eight of them make 25 billion codes and no words (RFC 8628, section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;

/** Starts a login. Only the hash of the secret is stored. */
export async function startLogin(
  options: LoginOptions,
  address: string,
): Promise<{ secret: string; login: Login }> {
  const { db, clock, ids } = options;
  const secret = ids.hex(secretBytes);
  const now = clock.now();
  const login: Login = {
    secretHash: hashSecret(secret),
    code: makeCode(ids),
    address,
    createdAt: now,
    expiresAt: now + limits.loginSeconds * 1000,
    tenantId: null,
  };
  try {
    await insertLogin(db.knex, login);
    return { secret, login };
  } catch (error) {
    if (!isUniqueViolation(error, codeTaken)) throw error;
    return startLogin(options, address);
  }
}

function makeCode(ids: Ids): string {
  let code = '';
  while (code.length < codeLength) {
    const byte = Number.parseInt(ids.hex(1), 16);
    // The highest byte values would make some letters more likely than others.
    if (byte < 240) code += letters.charAt(byte % letters.length);
  }
  return hyphenated(code);
}

/**
 * Approves the pending login with a code, ignoring case and separators. Its key can be fetched for as long as a login may stay
 * pending. Returns undefined if no pending login has the code.
 */
export async function approveLogin(
  tx: Tx,
  { typed, tenantId, now }: { typed: string; tenantId: string; now: number },
): Promise<Login | undefined> {
  const plain = typed.toUpperCase().replaceAll(/[^A-Z]/g, '');
  const expiresAt = now + limits.loginSeconds * 1000;
  return storeApproval(tx, { code: hyphenated(plain), tenantId, now, expiresAt });
}

function hyphenated(code: string): string {
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
}

type LoginState =
  | { state: 'pending' }
  | { state: 'approved'; secret: string; key: ApiKey; tenant: Tenant }
  /** Unknown, expired or used. Callers cannot tell which. */
  | { state: 'none' };

/** Reads a login. The first read after the approval uses the login up and creates the key, in one transaction. */
export async function claimLogin({ db, clock, ids }: LoginOptions, secret: string): Promise<LoginState> {
  const secretHash = hashSecret(secret);
  const now = clock.now();
  const login = await findLogin(db.knex, secretHash, now);
  if (!login) return { state: 'none' };
  const { tenantId } = login;
  if (tenantId === null) return { state: 'pending' };
  return db.transaction(async (tx): Promise<LoginState> => {
    const tenant = await findTenant(tx, tenantId);
    if (!tenant || !(await takeApprovedLogin(tx, secretHash, now))) return { state: 'none' };
    const made = await createApiKey(tx, { ids, clock }, { tenantId, name: 'cli', kind: 'full', scopes });
    return { state: 'approved', tenant, ...made };
  });
}
