import { Command } from 'commander';
import { limits } from '../../../specs/limits.ts';
import { type Scope, scopes as allScopes } from '../../../specs/operations/operation.ts';
import { createApiKey } from '../../access/create-api-key.ts';
import { isoTime, systemClock } from '../../clock.ts';
import { createIds } from '../../ids.ts';
import { type ApiKey, findApiKeyById, readApiKeys, revokeApiKey } from '../../store/api-keys.ts';
import { wholeList } from '../../store/records.ts';
import { withCurrentDatabase } from '../with-database.ts';
import { CliError, note, printResult, recordText, table, type Terminal, UsageError } from '../output.ts';
import { requireTenant } from '../require-tenant.ts';

interface CreateOptions {
  tenant: string;
  name: string;
  scopes: string;
  expires?: string;
  json?: boolean;
}

/** `svc key`: manages a tenant's keys. It creates full keys only: app keys are created over the API with a full key. */
export function keyCommand(terminal: Terminal): Command {
  const command = new Command('key');

  command
    .command('create')
    .description('Create a key and print it; the key cannot be shown again')
    .requiredOption('--tenant <handle>', 'tenant that owns the key')
    .option('--name <name>', 'name of the key', 'cli')
    .option('--scopes <list>', 'scopes of the key, separated by commas', allScopes.join(','))
    .option(
      '--expires <time>',
      'ISO 8601 time at which the key expires, in local time unless it names a zone (default: never)',
    )
    .option('--json', 'print the key and its record as JSON')
    .action((options: CreateOptions) => createKey(terminal, options));

  command
    .command('list')
    .description("List a tenant's keys, app keys included, by their last 4 characters")
    .requiredOption('--tenant <handle>', 'tenant that owns the keys')
    .option('--json', 'print the keys as JSON')
    .action((options: { tenant: string; json?: boolean }) =>
      withCurrentDatabase(terminal, async (db) => {
        const tenant = await requireTenant(db.knex, options.tenant);
        const keys = await wholeList(readApiKeys(db.knex, tenant.id));
        const rows = keys.map((key) => [
          key.id,
          key.kind,
          key.name,
          `...${key.keyHint}`,
          key.scopes.join(','),
          state(key),
        ]);
        const text = table(['ID', 'KIND', 'NAME', 'KEY', 'SCOPES', 'STATE'], rows);
        printResult(terminal, options, keys.map(presentKey), text);
      }),
    );

  command
    .command('revoke <id>')
    .description('Revoke a key immediately')
    .option('--json', 'print the record as JSON')
    .action((id: string, options: { json?: boolean }) =>
      withCurrentDatabase(terminal, async (db) => {
        const key = await db.transaction(async (tx) => {
          const found = await findApiKeyById(tx, id);
          if (!found) {
            throw new CliError(`key "${id}" does not exist: find its id with svc key list --tenant <handle>`);
          }
          await revokeApiKey(tx, found.tenantId, id, systemClock.now());
          return (await findApiKeyById(tx, id)) ?? found;
        });
        const text = recordText({ id, name: key.name, key: `...${key.keyHint}`, state: state(key) });
        printResult(terminal, options, presentKey(key), text);
      }),
    );
  return command;
}

async function createKey(terminal: Terminal, options: CreateOptions): Promise<void> {
  const { storableText } = await import('../../../specs/operations/storable-text.ts');
  if (!storableText.max(limits.keyNameCharacters).safeParse(options.name).success || options.name === '') {
    throw new UsageError(`--name must have 1 to ${limits.keyNameCharacters} characters, without NUL`);
  }
  const scopes = readScopes(options.scopes);
  const expiresAt = readExpiry(options.expires, systemClock.now());
  await withCurrentDatabase(terminal, async (db) => {
    const { key, secret } = await db.transaction(async (tx) => {
      const tenant = await requireTenant(tx, options.tenant);
      const made = { tenantId: tenant.id, name: options.name, kind: 'full' as const, scopes, expiresAt };
      return createApiKey(tx, { ids: createIds(systemClock), clock: systemClock }, made);
    });
    printResult(terminal, options, { key: secret, ...presentKey(key) }, secret);
    note(terminal, `created key ${key.id} for ${options.tenant}: store it now, it cannot be shown again`);
  });
}

function readScopes(list: string): Scope[] {
  const named = list.split(',').map((scope) => scope.trim());
  const unknown = named.filter((scope) => !(allScopes as readonly string[]).includes(scope));
  if (unknown.length > 0) {
    throw new UsageError(
      `--scopes must be one or more of ${allScopes.join(', ')}, separated by commas, not "${list}"`,
    );
  }
  return allScopes.filter((scope) => named.includes(scope));
}

function readExpiry(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const [, day] = /^(\d{4}-\d{2}-\d{2})(T|$)/.exec(text) ?? [];
  const time = day === undefined ? NaN : Date.parse(text);
  // Date.parse accepts February 30 as March 1 or 2.
  if (Number.isNaN(time) || new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) {
    throw new UsageError(`--expires must be an ISO 8601 time such as ${isoTime(now)}, not "${text}"`);
  }
  if (time <= now) throw new UsageError(`--expires must be in the future, not "${text}"`);
  return time;
}

function state({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return `revoked ${isoTime(revokedAt)}`;
  if (expiresAt === null) return 'active';
  return `${expiresAt <= systemClock.now() ? 'expired' : 'active until'} ${isoTime(expiresAt)}`;
}

/** Returns the key's record as the API shows it, without the flows, origins and rates of app keys. */
function presentKey(key: ApiKey): object {
  const time = (at: number | null): string | null => (at === null ? null : isoTime(at));
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    key_hint: key.keyHint,
    scopes: key.scopes,
    created_at: isoTime(key.createdAt),
    expires_at: time(key.expiresAt),
    revoked_at: time(key.revokedAt),
    last_used_at: time(key.lastUsedAt),
  };
}
