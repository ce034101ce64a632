import type { Tx } from '../store/database.ts';
import { findTenantByHandle, type Tenant } from '../store/tenants.ts';
import { CliError } from './output.ts';

/** @throws CliError if the tenant does not exist. The message says how to create it. */
export async function requireTenant(tx: Tx, handle: string): Promise<Tenant> {
  const tenant = await findTenantByHandle(tx, handle);
  if (tenant) return tenant;
  throw new CliError(`tenant "${handle}" does not exist: create it with svc tenant create ${handle}`);
}
