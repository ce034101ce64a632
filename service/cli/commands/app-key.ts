import { Command, InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import type { apiKeyRecord, mintedAppKey } from '../../../specs/operations/api-keys.ts';
import { systemClock } from '../../clock.ts';
import { apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath, repeated } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { note, printResult, recordText, table, type Terminal, UsageError } from '../output.ts';

interface ListFlags extends ApiFlags {
  all?: boolean;
}

interface CreateFlags extends ApiFlags {
  flow: string[];
  origin?: string[];
  rps?: number;
  burst?: number;
  expires?: string;
}

interface UpdateFlags extends ApiFlags {
  flow?: string[];
  origin?: string[];
  anyOrigin?: boolean;
}

type AppKey = z.infer<typeof apiKeyRecord>;

const originText = 'browser origin that may use the key, for example https://shop.example.com; repeatable';
const keyPath = '/api/v1/api-keys/{}';

/** `svc app-key`: manages the app keys of the tenant over HTTP. The operator manages full keys with `svc key`. */
export function appKeyCommand(terminal: Terminal): Command {
  return new Command('app-key')
    .addCommand(listCommand(terminal))
    .addCommand(createCommand(terminal))
    .addCommand(updateCommand(terminal))
    .addCommand(revokeCommand(terminal));
}

function listCommand(terminal: Terminal): Command {
  return apiCommand('list', 'read')
    .description('List app keys by their last 4 characters')
    .option('--all', 'include keys that are revoked or have expired')
    .action(async (flags: ListFlags) => {
      const question = { method: 'GET', path: '/api/v1/api-keys' } as const;
      const keys = await askApi<AppKey[]>(apiTarget(terminal, flags), question);
      const shown = keys.filter((key) => key.kind === 'app' && (flags.all === true || isActive(key)));
      const rows = shown.map((key) => [
        key.id,
        key.name,
        `...${key.key_hint}`,
        stateOf(key),
        key.graph_ids.join(','),
        key.allowed_origins.join(',') || 'any',
      ]);
      printResult(terminal, flags, shown, table(['ID', 'NAME', 'KEY', 'STATE', 'FLOWS', 'ORIGINS'], rows));
    });
}

function createCommand(terminal: Terminal): Command {
  return apiCommand('create', 'write and invoke')
    .description('Create an app key and print it; the key cannot be shown again')
    .argument('<name>', 'name of the key')
    .requiredOption('--flow <graph_id>', 'flow that the key may invoke; repeatable', repeated)
    .option('--origin <origin>', `${originText} (default: any)`, repeated)
    .option('--rps <number>', 'requests per second (default: 5)', toNumber)
    .option('--burst <number>', 'requests in one burst (default: 10)', toNumber)
    .option('--expires <time>', 'ISO 8601 time at which the key expires (default: never)')
    .action(async (name: string, flags: CreateFlags) => {
      const body = {
        name,
        graph_ids: flags.flow,
        ...(flags.origin && { allowed_origins: flags.origin }),
        ...(flags.rps !== undefined && { rate_rps: flags.rps }),
        ...(flags.burst !== undefined && { rate_burst: flags.burst }),
        ...(flags.expires !== undefined && { expires_at: flags.expires }),
      };
      const minted = await askApi<z.infer<typeof mintedAppKey>>(apiTarget(terminal, flags), {
        method: 'POST',
        path: '/api/v1/api-keys',
        body,
        hint: 'run svc flow list to see the flows',
      });
      printResult(terminal, flags, minted, minted.key);
      note(terminal, `created app key ${minted.id}: store it now, it cannot be shown again`);
      if (!flags.origin) {
        note(
          terminal,
          `pages of any origin may use it: svc app-key update ${minted.id} --origin <origin> restricts it`,
        );
      }
    });
}

function updateCommand(terminal: Terminal): Command {
  return apiCommand('update', 'write and invoke')
    .description('Replace the flows or the origins of an app key, from the next request on')
    .argument('<key_id>', 'id of the key, as svc app-key list shows it')
    .option('--flow <graph_id>', 'flow that the key may invoke; repeatable (default: unchanged)', repeated)
    .option('--origin <origin>', `${originText} (default: unchanged)`, repeated)
    .option('--any-origin', 'let any origin use the key')
    .action(async (id: string, flags: UpdateFlags) => {
      const origins = flags.anyOrigin ? [] : flags.origin;
      if (flags.anyOrigin && flags.origin)
        throw new UsageError('--origin and --any-origin exclude each other');
      if (!flags.flow && !origins)
        throw new UsageError('give --flow, --origin or --any-origin to change the key');
      const key = await askApi<AppKey>(apiTarget(terminal, flags), {
        method: 'PATCH',
        path: apiPath(keyPath, id),
        body: { ...(flags.flow && { graph_ids: flags.flow }), ...(origins && { allowed_origins: origins }) },
        ...unknownKey(id),
      });
      const text = recordText({
        id: key.id,
        name: key.name,
        flows: key.graph_ids.join(', '),
        origins: key.allowed_origins.join(', ') || 'any',
      });
      printResult(terminal, flags, key, text);
    });
}

function revokeCommand(terminal: Terminal): Command {
  return apiCommand('revoke', 'write', { json: false })
    .description('Revoke an app key immediately')
    .argument('<key_id>', 'id of the key, as svc app-key list shows it')
    .action(async (id: string, flags: ApiFlags) => {
      const question = { method: 'DELETE', path: apiPath(keyPath, id), ...unknownKey(id) } as const;
      await askApi(apiTarget(terminal, flags), question);
      note(terminal, `revoked app key ${id}`);
    });
}

function unknownKey(id: string): { subject: string; hint: string } {
  return { subject: `app key "${id}"`, hint: 'run svc app-key list to see the active keys' };
}

function toNumber(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a number.');
}

function isActive(key: AppKey): boolean {
  return stateOf(key) === 'active' || stateOf(key).startsWith('until');
}

function stateOf({ revoked_at, expires_at }: AppKey): string {
  if (revoked_at !== null) return `revoked ${revoked_at}`;
  if (expires_at === null) return 'active';
  return `${Date.parse(expires_at) <= systemClock.now() ? 'expired' : 'until'} ${expires_at}`;
}
