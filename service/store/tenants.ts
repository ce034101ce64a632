import type { Tx } from './database.ts';
import { findRecord, insertRecords, listRecords, updateRecords } from './records.ts';
import { defineTable, integer, json, text } from './table.ts';

/** What the operator adjusted for one tenant; what is absent keeps the default of SPEC.md, Limits. */
export interface TenantLimits {
  /** Requests a second over all routes, and the burst above it. */
  rps?: number;
  burst?: number;
  /** The same for routes under `/invocations/`, in addition. */
  invocationRps?: number;
  invocationBurst?: number;
  dailyInvocations?: number;
  dailyExecutions?: number;
  /** Executions at once. */
  inflight?: number;
}

export interface Tenant {
  id: string;
  /** `[a-z0-9]+(-[a-z0-9]+)*`: the owner's part of package names. */
  handle: string;
  status: 'active' | 'suspended';
  limits: TenantLimits;
  createdAt: number;
}

export const tenants = defineTable<Tenant>('tenants', {
  id: text(),
  handle: text(),
  status: text(),
  limits: json(),
  createdAt: integer(),
});

/** Unique index that refuses a second tenant of the same handle. */
export const handleTaken = 'tenants_handle_unique';

export async function insertTenant(tx: Tx, tenant: Tenant): Promise<void> {
  await insertRecords(tx, tenants, [tenant]);
}

export async function findTenant(tx: Tx, id: string): Promise<Tenant | undefined> {
  return findRecord(tx, tenants, { id });
}

export async function findTenantByHandle(tx: Tx, handle: string): Promise<Tenant | undefined> {
  return findRecord(tx, tenants, { handle });
}

export async function listTenants(tx: Tx): Promise<Tenant[]> {
  return listRecords(tx, tenants, {}, ['createdAt', 'id']);
}

export async function updateTenantStatus(tx: Tx, id: string, status: Tenant['status']): Promise<void> {
  await updateRecords(tx, tenants, { id }, { status });
}

export async function updateTenantLimits(tx: Tx, id: string, limits: TenantLimits): Promise<void> {
  await updateRecords(tx, tenants, { id }, { limits });
}
