import path from 'node:path';
import { Command } from 'commander';
import type { publishError } from '../../../specs/operations/error-shapes.ts';
import type { publishedPackage } from '../../../specs/operations/package-shapes.ts';
import type { z } from 'zod';
import { formatDiagnostic } from '../../errors/proto-compile-error.ts';
import { apiTarget } from '../api-client.ts';
import { apiCommand, type ApiFlags } from '../api-command.ts';
import { askWithStatus, failureOf } from '../ask-api.ts';
import { deleteVersionCommand, deployCommand, undeployCommand } from './package-deploy.ts';
import { listCommand } from './package-list.ts';
import { CliError, note, noteWarning, printResult, table, type Terminal } from '../output.ts';
import { readTokenFile } from '../read-token-file.ts';

interface PublishFlags extends ApiFlags {
  endpoint?: string;
  tokenFile?: string;
}

/** `svc package`: publishes, lists, deploys and deletes packages over HTTP, as a tenant. */
export function packageCommand(terminal: Terminal): Command {
  return new Command('package')
    .addCommand(publishCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(deployCommand(terminal))
    .addCommand(undeployCommand(terminal))
    .addCommand(deleteVersionCommand(terminal));
}

/** `svc package publish <dir>`: publishes the package of a folder. */
function publishCommand(terminal: Terminal): Command {
  return apiCommand('publish', 'write')
    .description('Publish the package.yaml and .proto files of a folder')
    .argument('<dir>', 'folder that contains package.yaml')
    .option(
      '--endpoint <grpc://host:port>',
      'address of the node container (default: the endpoint in package.yaml)',
    )
    .option('--token-file <file>', 'file with the token that the node container expects (default: no token)')
    .action((dir: string, flags: PublishFlags) => publish(terminal, dir, flags));
}

async function publish(terminal: Terminal, dir: string, flags: PublishFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  const { protoRoot, readPackageFolder } = await import('../../nodes/package-folder.ts');
  const read = await readPackageFolder(dir).catch((error: unknown) => {
    throw error instanceof Error ? new CliError(error.message) : error;
  });
  const token = flags.tokenFile === undefined ? undefined : await readTokenFile(flags.tokenFile);
  const body = {
    ...read,
    ...(flags.endpoint !== undefined && { endpoint: flags.endpoint }),
    ...(token !== undefined && { token }),
  };
  const { status, body: answer } = await askWithStatus(target, {
    method: 'POST',
    path: '/api/v1/packages',
    body,
  }).catch(async (error: unknown) => {
    const failure = failureOf(error);
    if (failure?.code !== 'protos_do_not_compile') throw error;
    const { diagnostics } = failure.body as z.infer<typeof publishError>;
    throw diagnostics ? notCompiled(diagnostics, await protoRoot(dir), read.protos) : error;
  });
  const published = answer as z.infer<typeof publishedPackage>;
  note(
    terminal,
    status === 201
      ? `published ${published.name} ${published.version} (${published.visibility})`
      : `${published.name} ${published.version} (${published.visibility}) is already published with the same content`,
  );
  for (const warning of published.warnings) noteWarning(terminal, warning);
  if (published.verification === 'unverified') {
    note(terminal, 'the container cannot say what it serves (Describe), so calls are not verified');
  }
  if (!body.endpoint) {
    const { name, version } = published;
    note(
      terminal,
      status === 201
        ? `the version has no endpoint, so its nodes answer 404: once its container runs, svc package deploy ${name}@${version} --endpoint <grpc://host:port> says where it is`
        : `the deployment stays as it was: run svc package list ${name} to see whether ${version} has one`,
    );
  }
  const rows = published.nodes.map((node) => [
    node.name,
    node.mode,
    node.node_ulid,
    node.input_message ?? '(generic)',
    node.output_message ?? '(generic)',
  ]);
  printResult(terminal, flags, published, table(['NODE', 'MODE', 'ULID', 'INPUT', 'OUTPUT'], rows));
}

/** Lists the problems of the protos, and names the sources by their files. The service knows them by their import paths. */
function notCompiled(
  diagnostics: NonNullable<z.infer<typeof publishError>['diagnostics']>,
  root: string,
  protos: Readonly<Record<string, string>>,
): CliError {
  const problems = diagnostics.map(({ file, ...problem }) =>
    formatDiagnostic({ ...problem, file: Object.hasOwn(protos, file) ? path.join(root, file) : file }),
  );
  return new CliError(`the protos do not compile: ${problems.join('; ')}`);
}
