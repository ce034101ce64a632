import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import { Command } from 'commander';
import { stopRequested } from '../../main.ts';
import { loadPackage, UnservablePackageError } from '../../nodes/serve/load-package.ts';
import { servePackage } from '../../nodes/serve/serve-package.ts';
import { CliError, note, type Terminal, UsageError } from '../output.ts';

interface ServeFlags {
  port: string;
  host: string;
}

/**
 * `svc node serve <module>`: hosts handlers as a node container until SIGTERM or SIGINT. Prints the endpoint to stdout once it
 * accepts calls.
 */
export function nodeCommand(terminal: Terminal): Command {
  return new Command('node').description('Run node containers').addCommand(
    new Command('serve')
      .description('Host JavaScript or TypeScript handlers as a node container')
      .argument(
        '<module>',
        'module that exports the handlers by default, next to package.yaml; or its folder',
      )
      .option('--port <n>', 'port to listen on; 0 selects a free port', '0')
      .option('--host <host>', 'address to listen on', '127.0.0.1')
      .action((module: string, flags: ServeFlags) => serve(terminal, module, flags)),
  );
}

async function serve(terminal: Terminal, module: string, flags: ServeFlags): Promise<void> {
  if (!/^\d{1,5}$/.test(flags.port) || Number(flags.port) > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not "${flags.port}"`);
  }
  // The command reports the errors that gRPC would log.
  if (terminal.env.GRPC_VERBOSITY === undefined) setLogVerbosity(logVerbosity.NONE);
  const stop = stopRequested();
  const { hosted, server } = await start(terminal, module, { port: Number(flags.port), host: flags.host });
  const count = hosted.nodes.size;
  note(
    terminal,
    `serving ${hosted.name}@${hosted.version} (${count} ${count === 1 ? 'node' : 'nodes'}) on ${server.endpoint}`,
  );
  terminal.stdout.write(`${server.endpoint}\n`);
  const signal = await stop;
  note(terminal, `received ${signal}, stopping after the running calls`);
  await server.stop();
}

async function start(terminal: Terminal, module: string, { port, host }: { port: number; host: string }) {
  try {
    const hosted = await loadPackage(module);
    const server = await servePackage(hosted, { port, host, report: (text) => note(terminal, text) });
    return { hosted, server };
  } catch (error) {
    throw error instanceof UnservablePackageError ? new CliError(error.message) : error;
  }
}
