import { isUtf8 } from 'node:buffer';
import { buffer as readAll } from 'node:stream/consumers';
import { Command } from 'commander';
import { loadCurrentKey } from '../../access/secrets/new-key-file.ts';
import { SealingKeyError } from '../../access/secrets/sealing-key.ts';
import { createSecretStore } from '../../access/secrets/secret-store.ts';
import { isoTime, systemClock } from '../../clock.ts';
import { presentSecret } from '../../http/present/secret.ts';
import { armSecret, deleteSecret, listSecrets } from '../../store/secrets.ts';
import { withCurrentDatabase } from '../with-database.ts';
import { CliError, note, printResult, table, type Terminal, UsageError } from '../output.ts';
import { rekeyCommand } from './secret-rekey.ts';
import { requireTenant } from '../require-tenant.ts';

interface TenantOption {
  tenant: string;
}

/** The names that a node can declare, as in specs/operations/package-shapes.ts. */
const secretName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;

const maxBytes = 65_536;

/** A week. */
const maxArmedMinutes = 10_080;

/** `svc secret`: manages tenants' secrets. No command prints a value. */
export function secretCommand(terminal: Terminal): Command {
  const command = new Command('secret');
  command
    .command('set <name>')
    .description('Store a secret; reads the value from stdin, without one trailing newline')
    .requiredOption('--tenant <handle>', 'tenant that owns the secret')
    .action((name: string, options: TenantOption) => setSecret(terminal, name, options));
  command
    .command('list')
    .description("List the names of a tenant's secrets")
    .requiredOption('--tenant <handle>', 'tenant that owns the secrets')
    .option('--json', 'print the secrets as JSON')
    .action((options: TenantOption & { json?: boolean }) =>
      withCurrentDatabase(terminal, async (db) => {
        const tenant = await requireTenant(db.knex, options.tenant);
        const now = systemClock.now();
        const secrets = (await listSecrets(db.knex, tenant.id)).map((one) => presentSecret(one, now));
        const rows = secrets.map((one) => [
          one.name,
          one.created_at,
          one.updated_at,
          one.armed_expires_at ?? 'no',
        ]);
        printResult(terminal, options, secrets, table(['NAME', 'CREATED', 'UPDATED', 'ARMED UNTIL'], rows));
      }),
    );
  command
    .command('delete <name>')
    .description('Delete a secret')
    .requiredOption('--tenant <handle>', 'tenant that owns the secret')
    .action((name: string, options: TenantOption) =>
      withCurrentDatabase(terminal, async (db) => {
        const tenant = await requireTenant(db.knex, options.tenant);
        if (!(await deleteSecret(db.knex, tenant.id, name))) {
          throw noSecret(tenant.handle, name);
        }
        note(terminal, `deleted secret ${name} of ${tenant.handle}`);
      }),
    );
  command
    .command('arm <name>')
    .description('Allow development runs to use a secret for a limited time')
    .requiredOption('--tenant <handle>', 'tenant that owns the secret')
    .option('--minutes <count>', `duration, at most ${maxArmedMinutes}; 0 disarms the secret`, '60')
    .action((name: string, options: TenantOption & { minutes: string }) => arm(terminal, name, options));
  command.addCommand(rekeyCommand(terminal));
  return command;
}

async function arm(
  terminal: Terminal,
  name: string,
  { tenant: handle, minutes: text }: TenantOption & { minutes: string },
): Promise<void> {
  const minutes = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (!(minutes <= maxArmedMinutes)) {
    throw new UsageError(`--minutes must be a whole number from 0 to ${maxArmedMinutes}, not "${text}"`);
  }
  await withCurrentDatabase(terminal, async (db) => {
    const tenant = await requireTenant(db.knex, handle);
    const until = minutes === 0 ? null : systemClock.now() + minutes * 60_000;
    if (!(await armSecret(db.knex, tenant.id, name, until))) throw noSecret(tenant.handle, name);
    const state = until === null ? 'is disarmed' : `is armed until ${isoTime(until)}`;
    note(terminal, `secret ${name} of ${tenant.handle} ${state}`);
  });
}

function noSecret(handle: string, name: string): CliError {
  return new CliError(`${handle} has no secret "${name}": run svc secret list --tenant ${handle}`);
}

async function setSecret(terminal: Terminal, name: string, options: TenantOption): Promise<void> {
  if (!secretName.test(name)) {
    throw new UsageError(
      `"${name}" is not a valid secret name: use at most 128 letters, digits and "_", and do not start with a digit`,
    );
  }
  if (terminal.stdin.isTTY) note(terminal, 'type the value, then Enter and Ctrl-D');
  const bytes = await readAll(terminal.stdin);
  if (!isUtf8(bytes)) {
    throw new UsageError(
      'the value is not UTF-8 text: encode it, for example with base64, and decode it in the node',
    );
  }
  const value = bytes.toString().replace(/\r?\n$/, '');
  if (value === '')
    throw new UsageError(
      'stdin is empty: pass the value, for example svc secret set <name> --tenant <handle> < file',
    );
  if (Buffer.byteLength(value) > maxBytes)
    throw new UsageError(
      `the value is larger than ${maxBytes} bytes: store the data elsewhere, and what gives access to it here`,
    );
  await withCurrentDatabase(terminal, async (db, config) => {
    const tenant = await requireTenant(db.knex, options.tenant);
    const key = await loadCurrentKey(db.knex, config);
    const store = createSecretStore({ tx: db.knex, clock: systemClock, key });
    await store.set(tenant.id, name, value).catch((error: unknown) => {
      throw error instanceof SealingKeyError ? new CliError(error.message) : error;
    });
    note(terminal, `stored secret ${name} for ${tenant.handle}`);
  });
}
