import path from 'node:path';
import { Command } from 'commander';
import { approveLogin } from '../../access/logins.ts';
import { isoTime, systemClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { CliError, note, type Terminal } from '../output.ts';
import { withCurrentDatabase } from '../with-database.ts';
import { requireTenant } from '../require-tenant.ts';

/** `svc login approve <code>`: the operator's part of a login, on the database of the service. */
export function approveCommand(terminal: Terminal): Command {
  return new Command('approve')
    .description(
      'Give a waiting svc login a full key of a tenant; approve only a code that you got from the person who logs in',
    )
    .argument('<code>', 'the code that svc login shows')
    .requiredOption('--tenant <handle>', 'tenant that the key is for')
    .action((code: string, options: { tenant: string }) =>
      withCurrentDatabase(terminal, async (db, config) => {
        const tenant = await requireTenant(db.knex, options.tenant);
        const approving = { typed: code, tenantId: tenant.id, now: systemClock.now() };
        const login = await approveLogin(db.knex, approving);
        if (!login) {
          throw new CliError(
            `no login waits with the code ${code} in ${placeOf(config)}: it may be mistyped, expired or used, or belong to a service with other data; run svc login again for a new one`,
          );
        }
        const { address, createdAt } = login;
        note(
          terminal,
          `approved the login ${login.code}, which began at ${isoTime(createdAt)} from ${address}: it receives a full key of ${tenant.handle} named cli`,
        );
      }),
    );
}

/** The PostgreSQL URL may contain a password. */
function placeOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === null
    ? `the data folder ${path.resolve(dataDir)}`
    : 'the database of SVC_DATABASE_URL';
}
