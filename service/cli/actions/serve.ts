import { loadConfig, serviceVariables } from '../../config.ts';
import { similarNames } from '../../errors/similar-names.ts';
import { ListenError } from '../../http/listening.ts';
import { startService } from '../../main.ts';
import { UncleanStopError } from '../../shutdown.ts';
import { CliError, note, type Terminal } from '../output.ts';
import { stopRequested } from '../stop-requested.ts';
import { noteDataFolder } from '../with-database.ts';

/** Time in which the service closes everything, even if its database does not respond. */
const stopSeconds = 60;

const takenOver = 'its runs continue in another replica, or at the next start, as after a crash';

/** Variables of other commands. */
const commandVariables = ['SVC_API_KEY', 'SVC_BASE_URL', 'SVC_NODE_TOKEN'];

/** Runs the service until SIGTERM or SIGINT. */
export async function serve(terminal: Terminal): Promise<void> {
  const config = loadConfig(terminal.env);
  await noteDataFolder(terminal, config);
  noteMisspelt(terminal);
  const stop = stopRequested();
  const service = await startService(config).catch((error: unknown) => {
    throw error instanceof ListenError ? explainListen(error) : error;
  });
  note(terminal, `svc is listening on ${service.url} (press Ctrl-C to stop)`);
  note(terminal, `metrics are at ${service.metricsUrl}`);
  terminal.stdout.write(`${service.url}\n`);
  const signal = await stop;
  note(terminal, `received ${signal}, stopping after the running requests`);
  const late = setTimeout(() => {
    note(terminal, `svc: not everything could be closed within ${stopSeconds} seconds; ${takenOver}`);
    process.exit(1);
  }, stopSeconds * 1_000).unref();
  try {
    await service.stop();
  } catch (error) {
    throw error instanceof UncleanStopError ? new CliError(`${error.message}; ${takenOver}`) : error;
  } finally {
    clearTimeout(late);
    // Ends the process even if something still keeps it alive, such as a trace collector that does not respond.
    setTimeout(() => process.exit(), 1_000).unref();
  }
}

/** Warns about variables that resemble one of the service's. Others may share the prefix, such as those that Kubernetes adds. */
function noteMisspelt(terminal: Terminal): void {
  const known = [...serviceVariables, ...commandVariables];
  for (const name of Object.keys(terminal.env)) {
    if (!name.startsWith('SVC_') || known.includes(name)) continue;
    const [nearest] = similarNames(name, serviceVariables);
    if (nearest !== undefined) note(terminal, `warning: ${name} has no effect: did you mean ${nearest}?`);
  }
}

function explainListen(error: ListenError): Error {
  const { host, port, variables } = error;
  switch (error.code) {
    case 'EADDRINUSE':
      return new CliError(
        `port ${port} on ${host} is already in use: set ${variables}_PORT to another port, or to 0 for a free one`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new CliError(
        `${host} is not an address of this machine: set ${variables}_HOST to one, such as 127.0.0.1`,
      );
    case 'EACCES':
      return new CliError(
        `no permission to listen on port ${port}: set ${variables}_PORT to a port above 1023`,
      );
    default:
      return error;
  }
}
