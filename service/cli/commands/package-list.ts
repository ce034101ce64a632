import type { Command } from 'commander';
import type { z } from 'zod';
import type { packageDetail, packageSummary } from '../../../specs/operations/package-shapes.ts';
import { type ApiTarget, apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath } from '../api-command.ts';
import { askApi } from '../ask-api.ts';
import { printResult, table, type Terminal, UsageError } from '../output.ts';

/** `svc package list [package]`: lists the packages that the tenant may use, or the versions of one. */
export function listCommand(terminal: Terminal): Command {
  return apiCommand('list', 'read')
    .description(
      'List the packages of the tenant and the public packages of others, or the versions of one package',
    )
    .argument('[package]', 'package as owner/name')
    .action((name: string | undefined, flags: ApiFlags) => {
      const target = apiTarget(terminal, flags);
      return name === undefined ? packages(terminal, target, flags) : versions(terminal, target, name, flags);
    });
}

async function packages(terminal: Terminal, target: ApiTarget, flags: ApiFlags): Promise<void> {
  const question = { method: 'GET', path: '/api/v1/packages' } as const;
  const all = await askApi<z.infer<typeof packageSummary>[]>(target, question);
  const rows = all.map((one) => [
    one.name,
    one.latest_version || null,
    one.visibility,
    one.description || null,
  ]);
  printResult(terminal, flags, all, table(['PACKAGE', 'LATEST', 'VISIBILITY', 'DESCRIPTION'], rows));
}

async function versions(terminal: Terminal, target: ApiTarget, text: string, flags: ApiFlags): Promise<void> {
  const [owner, name, ...rest] = text.split('/');
  if (!owner || !name || rest.length > 0) {
    throw new UsageError(`"${text}" is not a package: write owner/name, such as acme/text`);
  }
  const found = await askApi<z.infer<typeof packageDetail>>(target, {
    method: 'GET',
    path: apiPath('/api/v1/packages/{}/{}', owner, name),
    subject: `package "${text}"`,
    hint: 'run svc package list to see the packages that you can read',
  });
  const rows = found.versions.map((one) => [
    one.version,
    one.deployed ? 'yes' : 'no',
    one.verification ?? null,
    one.endpoint ?? null,
    one.created_at,
  ]);
  printResult(
    terminal,
    flags,
    found,
    table(['VERSION', 'DEPLOYED', 'VERIFICATION', 'ENDPOINT', 'PUBLISHED'], rows),
  );
}
