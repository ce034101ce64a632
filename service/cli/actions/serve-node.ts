import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import { UnservablePackageError } from '../../nodes/serve/compile-package.ts';
import { createFreshModules } from '../../nodes/serve/fresh-modules.ts';
import { findModule, type HostedPackage, loadPackage } from '../../nodes/serve/load-package.ts';
import { type NodeServer, servePackage } from '../../nodes/serve/serve-package.ts';
import { watchFolder } from '../../nodes/serve/watch-folder.ts';
import { counted } from '../counted.ts';
import { CliError, note, type Terminal, UsageError } from '../output.ts';
import { checkToken, readTokenFile } from '../read-token-file.ts';
import { stopRequested } from '../stop-requested.ts';

/** The options of `svc node serve`, as typed. */
export interface ServeFlags {
  /** 0 for any free port. */
  port: string;
  host: string;
  /** PEM files with the certificate chain and its private key. Both or neither. */
  tlsCert?: string;
  tlsKey?: string;
  /** File with the token that calls must carry. Default: `SVC_NODE_TOKEN`; without that, calls need no token. */
  tokenFile?: string;
  /** Reloads the handlers when a file in their folder changes. */
  watch?: boolean;
}

/** Hosts handlers as a node container until SIGTERM or SIGINT. Prints the endpoint to stdout once it accepts calls. */
export async function serveNode(terminal: Terminal, module: string, flags: ServeFlags): Promise<void> {
  if (!/^\d{1,5}$/.test(flags.port) || Number(flags.port) > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not "${flags.port}"`);
  }
  const tls = await readTls(flags);
  const token = await readToken(terminal, flags);
  // The command itself reports the errors that gRPC would log.
  if (terminal.env.GRPC_VERBOSITY === undefined) setLogVerbosity(logVerbosity.NONE);
  const stop = stopRequested();
  const fresh = flags.watch ? createFreshModules() : undefined;
  const load = (): Promise<HostedPackage> => loadPackage(module, fresh?.import);
  const { hosted, server } = await start(terminal, load, {
    port: Number(flags.port),
    host: flags.host,
    tls,
    token,
  });
  note(terminal, `serving ${describe(hosted)} on ${server.endpoint}`);
  const unwatch =
    fresh && (await watchFolder(dirname(await findModule(module)), () => reload(terminal, load, server)));
  terminal.stdout.write(`${server.endpoint}\n`);
  const signal = await stop;
  note(terminal, `received ${signal}, stopping after the running calls`);
  await unwatch?.();
  await server.stop();
  fresh?.close();
}

function describe({ name, version, nodes: { size } }: HostedPackage): string {
  return `${name}@${version} (${counted(size, 'node')})`;
}

/** Serves the changed package. If it does not load, the current one stays in service. */
async function reload(
  terminal: Terminal,
  load: () => Promise<HostedPackage>,
  server: NodeServer,
): Promise<void> {
  try {
    const hosted = await load();
    server.replace(hosted);
    note(terminal, `reloaded ${describe(hosted)}`);
  } catch (error) {
    const reason = error instanceof UnservablePackageError ? error.message : String(error);
    note(terminal, `not reloaded, still serving the previous code: ${reason}`);
  }
}

async function readTls({ tlsCert, tlsKey }: ServeFlags): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UsageError('--tls-cert and --tls-key belong together: give both');
  }
  const read = (file: string): Promise<Buffer> =>
    readFile(file).catch((error: unknown) => {
      throw new CliError(`${file} cannot be read (${(error as Error).message})`);
    });
  return { cert: await read(tlsCert), key: await read(tlsKey) };
}

async function readToken(terminal: Terminal, { tokenFile }: ServeFlags): Promise<string | undefined> {
  if (tokenFile !== undefined) return readTokenFile(tokenFile);
  const variable = terminal.env.SVC_NODE_TOKEN;
  if (variable === undefined) return undefined;
  // A variable without its value must not open the container to all callers.
  if (variable === '') throw new CliError('SVC_NODE_TOKEN is empty: set it to the token, or unset it');
  return checkToken(variable, 'SVC_NODE_TOKEN');
}

type ServerOptions = Omit<Parameters<typeof servePackage>[1], 'report'>;

async function start(terminal: Terminal, load: () => Promise<HostedPackage>, options: ServerOptions) {
  try {
    const hosted = await load();
    const server = await servePackage(hosted, { ...options, report: (text) => note(terminal, text) });
    return { hosted, server };
  } catch (error) {
    throw error instanceof UnservablePackageError ? new CliError(error.message) : error;
  }
}
