import { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { startService, stopRequested } from '../../main.ts';
import { CliError, note, type Terminal } from '../output.ts';

/** `svc serve`: runs the service until SIGTERM or SIGINT, then drains and exits 0. Prints its URL on stdout. */
export function serveCommand(terminal: Terminal): Command {
  return new Command('serve')
    .description('Run the service; configured by the environment (README, Configuration)')
    .action(async () => {
      const config = loadConfig(terminal.env);
      const stop = stopRequested();
      const service = await startService(config).catch((error: unknown) => {
        throw explainListen(error, config.host, config.port);
      });
      note(terminal, `svc listens on ${service.url} (stop with Ctrl-C)`);
      terminal.stdout.write(`${service.url}\n`);
      const signal = await stop;
      note(terminal, `${signal}: finishing what runs, taking no new work`);
      await service.stop();
      // Whatever still holds the process, such as a collector of spans that does not answer, is not waited for.
      setTimeout(() => process.exit(), 1_000).unref();
    });
}

function explainListen(error: unknown, host: string, port: number): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'EADDRINUSE') {
    return new CliError(
      `port ${port} of ${host} is taken: set SVC_PORT to another one, or to 0 for any free port`,
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CliError(`${host} is not an address of this machine: set SVC_HOST`);
  }
  if (code === 'EACCES')
    return new CliError(`port ${port} needs more rights: set SVC_PORT to one above 1023`);
  return error;
}
