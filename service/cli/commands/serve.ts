import { Command } from 'commander';
import { loadConfig } from '../../config.ts';
import { startService, stopRequested } from '../../main.ts';
import { CliError, note, type Terminal } from '../output.ts';

/** `svc serve`: runs the service until SIGTERM or SIGINT, then drains and exits with 0. Prints its URL to stdout. */
export function serveCommand(terminal: Terminal): Command {
  return new Command('serve')
    .description('Run the service, configured by environment variables (see docs/operating.md)')
    .action(async () => {
      const config = loadConfig(terminal.env);
      const stop = stopRequested();
      const service = await startService(config).catch((error: unknown) => {
        throw explainListen(error, config.host, config.port);
      });
      note(terminal, `svc is listening on ${service.url} (press Ctrl-C to stop)`);
      terminal.stdout.write(`${service.url}\n`);
      const signal = await stop;
      note(terminal, `received ${signal}, stopping after the running requests`);
      await service.stop();
      // Ends the process even if something still keeps it alive, such as a trace collector that does not respond.
      setTimeout(() => process.exit(), 1_000).unref();
    });
}

function explainListen(error: unknown, host: string, port: number): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'EADDRINUSE') {
    return new CliError(
      `port ${port} on ${host} is already in use: set SVC_PORT to another port, or to 0 for a free one`,
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new CliError(`${host} is not an address of this machine: set SVC_HOST to one, such as 127.0.0.1`);
  }
  if (code === 'EACCES')
    return new CliError(`no permission to listen on port ${port}: set SVC_PORT to a port above 1023`);
  return error;
}
