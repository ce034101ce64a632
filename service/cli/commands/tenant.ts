import { Command } from 'commander';
import { isoTime, systemClock } from '../../clock.ts';
import { createIds } from '../../ids.ts';
import type { Database, Tx } from '../../store/database.ts';
import { isUniqueViolation } from '../../store/database-errors.ts';
import {
  handleTaken,
  insertTenant,
  listTenants,
  type Tenant,
  updateTenantLimits,
  updateTenantStatus,
} from '../../store/tenants.ts';
import { dayOf } from '../../store/commit/run-operation.ts';
import { findDailyUsage } from '../../store/prepared/find-daily-usage.ts';
import { withCurrentDatabase } from '../with-database.ts';
import { CliError, printResult, recordText, table, type Terminal, UsageError } from '../output.ts';
import { requireTenant } from '../require-tenant.ts';
import { adjustedLimits, limitOptions, limitsInForce, readLimits } from './tenant-limits.ts';

interface JsonOption {
  json?: boolean;
}

const maxHandleLength = 39;

/** `svc tenant`: manages tenants. The API has no route for it. */
export function tenantCommand(terminal: Terminal): Command {
  const command = new Command('tenant');

  command
    .command('create <handle>')
    .description('Create a tenant; its packages are named <handle>/<name>')
    .option('--json', 'print the tenant as JSON')
    .action((handle: string, options: JsonOption) =>
      withCurrentDatabase(
        terminal,
        async (db) => {
          showTenant(terminal, options, await createTenant(db, handle));
        },
        { creates: true },
      ),
    );

  command
    .command('list')
    .description('List all tenants')
    .option('--json', 'print the tenants as JSON')
    .action((options: JsonOption) =>
      withCurrentDatabase(terminal, async (db) => {
        const tenants = await listTenants(db.knex);
        const rows = tenants.map(({ handle, status, id }) => [handle, status, id]);
        printResult(terminal, options, tenants.map(presentTenant), table(['HANDLE', 'STATUS', 'ID'], rows));
      }),
    );

  limitOptions(command.command('limits <handle>'))
    .description('Show or adjust a tenant\'s limits; the value "default" restores a default')
    .option('--json', 'print the tenant as JSON')
    .action((handle: string, options: JsonOption & Record<string, string>) =>
      withCurrentDatabase(terminal, (db) => changeLimits(terminal, db, handle, options)),
    );

  for (const [verb, status, description] of [
    ['suspend', 'suspended', 'Refuse all invocations by a tenant'],
    ['resume', 'active', 'Accept invocations by a suspended tenant again'],
  ] as const) {
    command
      .command(`${verb} <handle>`)
      .description(description)
      .option('--json', 'print the tenant as JSON')
      .action((handle: string, options: JsonOption) =>
        withCurrentDatabase(terminal, async (db) => {
          const changed = await changeTenant(db, handle, async (tx, tenant) => {
            await updateTenantStatus(tx, tenant.id, status);
            return { ...tenant, status };
          });
          showTenant(terminal, options, changed);
        }),
      );
  }
  return command;
}

async function createTenant(db: Database, handle: string): Promise<Tenant> {
  if (handle.length > maxHandleLength || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(handle)) {
    throw new UsageError(
      `"${handle}" is not a valid handle: use at most ${maxHandleLength} lower-case letters and digits, with single hyphens between them, such as acme or acme-labs`,
    );
  }
  const tenant: Tenant = {
    id: createIds(systemClock).ulid(),
    handle,
    status: 'active',
    limits: {},
    createdAt: systemClock.now(),
  };
  try {
    await insertTenant(db.knex, tenant);
  } catch (error) {
    if (!isUniqueViolation(error, handleTaken)) throw error;
    throw new CliError(
      `tenant "${handle}" already exists: choose another handle, or create a key for it with svc key create --tenant ${handle}`,
    );
  }
  return tenant;
}

/** Adjusts the given limits. Prints all limits with their defaults, and the usage of the daily ones. */
async function changeLimits(
  terminal: Terminal,
  db: Database,
  handle: string,
  options: JsonOption & Record<string, string>,
): Promise<void> {
  const changed = await changeTenant(db, handle, async (tx, tenant) => {
    const limits = readLimits(tenant.limits, options);
    await updateTenantLimits(tx, tenant.id, limits);
    return { ...tenant, limits };
  });
  const { id, status, limits } = changed;
  const used = await findDailyUsage(db, id, dayOf(systemClock.now()));
  const usedToday = `${used.invocations} invocations, ${used.executions} executions`;
  const text = recordText({ handle, id, status, ...limitsInForce(limits), 'used today': usedToday });
  printResult(terminal, options, { ...presentTenant(changed), used_today: used }, text);
}

/** Changes a tenant in one transaction. */
async function changeTenant(
  db: Database,
  handle: string,
  change: (tx: Tx, tenant: Tenant) => Promise<Tenant>,
): Promise<Tenant> {
  return db.transaction(async (tx) => change(tx, await requireTenant(tx, handle)));
}

function showTenant(terminal: Terminal, options: JsonOption, tenant: Tenant): void {
  const { handle, id, status, limits } = tenant;
  const text = recordText({ handle, id, status, limits: adjustedLimits(limits) });
  printResult(terminal, options, presentTenant(tenant), text);
}

function presentTenant({ createdAt, ...tenant }: Tenant): object {
  return { ...tenant, created_at: isoTime(createdAt) };
}
