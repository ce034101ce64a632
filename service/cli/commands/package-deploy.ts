import type { Command } from 'commander';
import type { z } from 'zod';
import type { deployPackage, getPackageVersion } from '../../../specs/operations/packages.ts';
import { describeUses, useLabels } from '../../nodes/describe-uses.ts';
import { type ApiTarget, apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags, apiPath } from '../api-command.ts';
import { askApi, failureOf } from '../ask-api.ts';
import {
  CliError,
  note,
  noteWarning,
  printResult,
  recordText,
  table,
  type Terminal,
  UsageError,
} from '../output.ts';
import { readTokenFile } from '../read-token-file.ts';

interface DeployFlags extends ApiFlags {
  endpoint: string;
  tokenFile?: string;
}

interface UndeployFlags extends ApiFlags {
  dryRun?: boolean;
}

type VersionDetail = z.infer<(typeof getPackageVersion)['responses'][200]['shape']>;
type Deployment = z.infer<(typeof deployPackage)['responses'][200]['shape']>;

const versionText = 'package version as owner/name@version';

/** `svc package deploy <package>`: sets where the containers of a version are. */
export function deployCommand(terminal: Terminal): Command {
  return apiCommand('deploy', 'write')
    .description('Set the address of the node containers of a package version')
    .argument('<package>', versionText)
    .requiredOption('--endpoint <grpc://host:port>', 'address of the node container')
    .option('--token-file <file>', 'file with the token that the node container expects (default: no token)')
    .action((text: string, flags: DeployFlags) => deploy(terminal, text, flags));
}

/** `svc package undeploy <package>`: takes a version out of service. */
export function undeployCommand(terminal: Terminal): Command {
  return apiCommand('undeploy', 'write', { json: false })
    .description('Take a package version out of service; its nodes can no longer be called')
    .argument('<package>', versionText)
    .option('--dry-run', 'list what uses the version, and change nothing')
    .option('--json', 'with --dry-run: print what uses the version as JSON')
    .action((text: string, flags: UndeployFlags) => undeploy(terminal, text, flags));
}

/** `svc package delete-version <package>`: deletes a version that nothing refers to. */
export function deleteVersionCommand(terminal: Terminal): Command {
  return apiCommand('delete-version', 'write', { json: false })
    .description('Delete a package version that is not deployed and not in use; its number is not used again')
    .argument('<package>', versionText)
    .action(async (text: string, flags: ApiFlags) => {
      const { owner, name, version } = readPackageVersion(text);
      const path = apiPath('/api/v1/packages/{}/{}/{}', owner, name, version);
      await askApi(apiTarget(terminal, flags), { method: 'DELETE', path, ...unknownPackage(text) });
      note(terminal, `deleted ${text}`);
    });
}

async function deploy(terminal: Terminal, text: string, flags: DeployFlags): Promise<void> {
  const path = deploymentPath(text);
  const target = apiTarget(terminal, flags);
  const token = flags.tokenFile === undefined ? undefined : await readTokenFile(flags.tokenFile);
  const body = { endpoint: flags.endpoint, ...(token !== undefined && { token }) };
  const question = { method: 'PUT', path, body, ...unknownPackage(text) } as const;
  const deployment = await askApi<Deployment>(target, question);
  for (const warning of deployment.warnings) noteWarning(terminal, warning);
  note(terminal, `deployed ${text}`);
  printResult(
    terminal,
    flags,
    deployment,
    recordText({
      package: `${deployment.name}@${deployment.version}`,
      endpoint: deployment.endpoint,
      token: deployment.token_set ? 'set' : 'none',
      verification: deployment.verification,
    }),
  );
}

async function undeploy(terminal: Terminal, text: string, flags: UndeployFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  const path = deploymentPath(text);
  if (flags.dryRun) {
    const uses = await usesOf(target, text);
    if (uses.length === 0) note(terminal, `nothing uses ${text}`);
    printResult(terminal, flags, uses, table(['KIND', 'USED BY'], uses.flatMap(rowsOf)));
    return;
  }
  const warning = await usesOf(target, text).then(warningOf, (error: unknown) => {
    // Undeploying needs another scope than reading.
    if (failureOf(error)?.code === 'missing_scope') {
      return 'what uses it is not known, because the key lacks the scope read';
    }
    throw error;
  });
  if (warning !== undefined) noteWarning(terminal, `calls of ${text} fail from now on: ${warning}`);
  await askApi(target, { method: 'DELETE', path, ...unknownPackage(text) });
  note(terminal, `undeployed ${text}`);
}

type Uses = NonNullable<VersionDetail['uses']>;

/** Returns what refers to a version, without the names of other tenants. */
async function usesOf(target: ApiTarget, text: string): Promise<Uses> {
  const { owner, name, version } = readPackageVersion(text);
  const path = `${apiPath('/api/v1/packages/{}/{}/{}', owner, name, version)}?uses=true`;
  const { uses } = await askApi<VersionDetail>(target, { method: 'GET', path, ...unknownPackage(text) });
  if (uses) return uses;
  throw new CliError(`${text} belongs to another tenant, and only that one can undeploy it`);
}

function warningOf(uses: Uses): string | undefined {
  return uses.length === 0 ? undefined : `it is in use by ${uses.map(describeUses).join('; ')}`;
}

function rowsOf({ kind, own, names, others }: Uses[number]): string[][] {
  const rest = own - names.length;
  const users = [
    ...names,
    ...(rest > 0 ? [`${rest} more`] : []),
    ...(others > 0 ? [`${others} of other tenants`] : []),
  ];
  return users.map((user) => [useLabels[kind], user]);
}

function deploymentPath(text: string): string {
  const { owner, name, version } = readPackageVersion(text);
  return apiPath('/api/v1/packages/{}/{}/{}/deployment', owner, name, version);
}

function unknownPackage(text: string): { subject: string; isConflictNamed: true; hint: string } {
  const [name = ''] = text.split('@');
  return { subject: text, isConflictNamed: true, hint: `run svc package list ${name} to see its versions` };
}

/**
 * Reads `owner/name@version`.
 *
 * @throws UsageError if the argument has another form
 */
function readPackageVersion(text: string): { owner: string; name: string; version: string } {
  const [, owner, name, version] = /^([^/@]+)\/([^/@]+)@([^/@]+)$/.exec(text) ?? [];
  if (owner !== undefined && name !== undefined && version !== undefined) return { owner, name, version };
  throw new UsageError(
    `"${text}" is not a package version: write owner/name@version, such as acme/text@1.0.0`,
  );
}
