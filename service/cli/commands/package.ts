import { Command } from 'commander';
import type { publishedPackage } from '../../../specs/operations/package-shapes.ts';
import type { z } from 'zod';
import { readPackageFolder } from '../../nodes/package-folder.ts';
import { apiTarget, callApi } from '../api-client.ts';
import { CliError, note, printResult, table, type Terminal } from '../output.ts';

interface PublishFlags {
  url?: string;
  key?: string;
  endpoint?: string;
  json?: boolean;
}

/** `svc package publish <dir>`: publishes the package of a folder over HTTP (DESIGN.md 4). */
export function packageCommand(terminal: Terminal): Command {
  return new Command('package').description('Publish packages of nodes').addCommand(
    new Command('publish')
      .description('Publish the package.yaml and the .proto files of a folder')
      .argument('<dir>', 'folder with package.yaml')
      .option('--url <base_url>', 'the service (default: SVC_BASE_URL, else http://127.0.0.1:8080)')
      .option('--key <key>', 'API key with write scope (default: SVC_API_KEY)')
      .option(
        '--endpoint <grpc://host:port>',
        'where the containers answer (default: the one in package.yaml)',
      )
      .option('--json', 'print the whole answer as JSON')
      .action((dir: string, flags: PublishFlags) => publish(terminal, dir, flags)),
  );
}

async function publish(terminal: Terminal, dir: string, flags: PublishFlags): Promise<void> {
  const target = apiTarget(terminal, flags);
  const read = await readPackageFolder(dir).catch((error: unknown) => {
    throw error instanceof Error ? new CliError(error.message) : error;
  });
  const body = flags.endpoint === undefined ? read : { ...read, endpoint: flags.endpoint };
  const { status, body: answer } = await callApi(target, 'POST', '/api/v1/packages', body);
  const published = answer as z.infer<typeof publishedPackage>;
  note(
    terminal,
    status === 201
      ? `published ${published.name} ${published.version}`
      : `${published.name} ${published.version} was published before with the same content`,
  );
  if (!body.endpoint) {
    note(
      terminal,
      'it has no endpoint yet: its nodes answer 404 until one is set (publish again with --endpoint)',
    );
  }
  const rows = published.nodes.map((node) => [
    node.name,
    node.mode,
    node.node_ulid,
    node.input_message ?? '(generic)',
    node.output_message ?? '(generic)',
  ]);
  printResult(terminal, flags, answer, table(['NODE', 'MODE', 'ULID', 'INPUT', 'OUTPUT'], rows));
}
