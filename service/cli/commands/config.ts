import { Command } from 'commander';
import type { z } from 'zod';
import type { storedConfig } from '../../../specs/operations/configs.ts';
import { type ApiTarget, apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { note, printResult, table, type Terminal, UsageError } from '../output.ts';
import { readJsonFlag } from '../read-json-flag.ts';

type StoredConfig = z.infer<typeof storedConfig>;

const path = '/api/v1/configs/{}';
const idText = 'id of the profile; "default" is the default of the tenant';

/** `svc config`: manages the config profiles that flows of the tenant run with, over HTTP. */
export function configCommand(terminal: Terminal): Command {
  return new Command('config')
    .addCommand(listCommand(terminal))
    .addCommand(getCommand(terminal))
    .addCommand(setCommand(terminal))
    .addCommand(deleteCommand(terminal));
}

function listCommand(terminal: Terminal): Command {
  return apiCommand('list', 'read')
    .description('List the config profiles of the tenant')
    .action(async (flags: ApiFlags) => {
      const question = { method: 'GET', path: '/api/v1/configs' } as const;
      const configs = await askApi<StoredConfig[]>(apiTarget(terminal, flags), question);
      const rows = configs.map((one) => [one.config_id, one.updated_at, Object.keys(one.config).join(', ')]);
      printResult(terminal, flags, configs, table(['CONFIG', 'UPDATED', 'SETTINGS'], rows));
    });
}

function getCommand(terminal: Terminal): Command {
  return apiCommand('get', 'read')
    .description('Print the settings of a config profile as JSON')
    .argument('<config_id>', idText)
    .action(async (id: string, flags: ApiFlags) => {
      const stored = await readConfig(apiTarget(terminal, flags), id);
      printResult(terminal, flags, stored, settingsText(stored));
    });
}

function setCommand(terminal: Terminal): Command {
  return apiCommand('set', 'write')
    .description('Create or replace a config profile; runs that start later receive its settings')
    .argument('<config_id>', idText)
    .argument('<json>', 'all settings as a JSON object, @<file> to read a file, or - to read stdin')
    .action(async (id: string, json: string, flags: ApiFlags) => {
      const target = apiTarget(terminal, flags);
      const body = await readJsonFlag(terminal, '<json>', json);
      if (!body.trimStart().startsWith('{')) {
        throw new UsageError('<json> must be an object with all settings, such as {"currency": "EUR"}');
      }
      const stored = await askApi<StoredConfig>(target, { method: 'PUT', path: apiPath(path, id), body });
      note(terminal, `stored config profile ${stored.config_id}`);
      printResult(terminal, flags, stored, settingsText(stored));
    });
}

function deleteCommand(terminal: Terminal): Command {
  return apiCommand('delete', 'write', { json: false })
    .description('Delete a config profile')
    .argument('<config_id>', idText)
    .action(async (id: string, flags: ApiFlags) => {
      const target = apiTarget(terminal, flags);
      // The API accepts deleting an unknown id, but a command with a misspelt id must fail.
      await readConfig(target, id);
      await askApi(target, { method: 'DELETE', path: apiPath(path, id) });
      note(terminal, `deleted config profile ${id}`);
    });
}

function readConfig(target: ApiTarget, id: string): Promise<StoredConfig> {
  return askApi<StoredConfig>(target, {
    method: 'GET',
    path: apiPath(path, id),
    subject: `config profile "${id}"`,
    hint: 'run svc config list to see the profiles',
  });
}

function settingsText({ config }: StoredConfig): string {
  return JSON.stringify(config, null, 2);
}
