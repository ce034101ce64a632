import type { Tx } from './database.ts';
import { findRecord, insertRecords, listRecords, updateRecords } from './records.ts';
import { bigInteger, defineTable, json, text } from './table.ts';

/**
 * The limits that the operator has adjusted for a tenant. Limits that are absent have the defaults of
 * specs/limits.ts.
 */
export interface TenantLimits {
  /** Requests per second over all routes, and burst. */
  rps?: number;
  burst?: number;
  /** Additional limit for routes under `/invocations/`. */
  invocationRps?: number;
  invocationBurst?: number;
  dailyInvocations?: number;
  dailyExecutions?: number;
  /** Open runs. */
  inflight?: number;
}

/** An account, which owns packages, flows, clients and keys. The operator creates it on the command line. */
export interface Tenant {
  id: string;
  /** `[a-z0-9]+(-[a-z0-9]+)*`, the owner in package names. */
  handle: string;
  /** All invocations of a suspended tenant are refused. */
  status: 'active' | 'suspended';
  limits: TenantLimits;
  /** Epoch milliseconds. */
  createdAt: number;
}

export const tenants = defineTable<Tenant>('tenants', {
  id: text(),
  handle: text(),
  status: text(),
  limits: json(),
  createdAt: bigInteger(),
});

/** Unique index over the handle. */
export const handleTaken = 'tenants_handle_unique';

/** Stores a tenant. Fails with a violation of `handleTaken` if another tenant has its handle. */
export async function insertTenant(tx: Tx, tenant: Tenant): Promise<void> {
  await insertRecords(tx, tenants, [tenant]);
}

/** Finds a tenant by its id, even a suspended one. */
export async function findTenant(tx: Tx, id: string): Promise<Tenant | undefined> {
  return findRecord(tx, tenants, { id });
}

/** Finds a tenant by its exact handle, even a suspended one. */
export async function findTenantByHandle(tx: Tx, handle: string): Promise<Tenant | undefined> {
  return findRecord(tx, tenants, { handle });
}

/** Lists all tenants, even suspended ones, oldest first. */
export async function listTenants(tx: Tx): Promise<Tenant[]> {
  return listRecords(tx, tenants, {}, ['createdAt', 'id']);
}

/** Suspends a tenant or accepts its invocations again. Does nothing if the tenant does not exist. */
export async function updateTenantStatus(tx: Tx, id: string, status: Tenant['status']): Promise<void> {
  await updateRecords(tx, tenants, { id }, { status });
}

/**
 * Replaces all adjusted limits of a tenant: a limit that is absent here has its default again. Does nothing if the tenant does
 * not exist.
 */
export async function updateTenantLimits(tx: Tx, id: string, limits: TenantLimits): Promise<void> {
  await updateRecords(tx, tenants, { id }, { limits });
}
