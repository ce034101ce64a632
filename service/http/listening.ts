import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sockets } from './upgrade/sockets.ts';

/** A server cannot listen on its address. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  /** The start of the variables that name the address: `<prefix>_HOST`, `<prefix>_PORT`. */
  readonly variables: string;
  /** Node's code, for example `EADDRINUSE`. */
  readonly code: string | undefined;
  readonly host: string;
  readonly port: number;

  constructor(cause: NodeJS.ErrnoException, { host, port, variables }: ListenAddress) {
    super(`cannot listen on ${host}, port ${port}: ${cause.message}`, { cause });
    this.variables = variables;
    this.code = cause.code;
    this.host = host;
    this.port = port;
  }
}

interface ListenAddress {
  host: string;
  port: number;
  /** The start of the variables that name the address. */
  variables: 'SVC' | 'SVC_METRICS';
}

/**
 * Resolves once the server listens.
 *
 * @throws ListenError
 */
export function listen(server: Server, address: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(new ListenError(error, address));
    server.once('error', fail);
    server.listen(address.port, address.host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

/** Returns the address of a listening server, as `http://host:port`. */
export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Time for the last responses to pending requests, in milliseconds. */
export const lastAnswersMs = 1_000;

interface CloseOptions {
  sockets: Pick<Sockets, 'drain' | 'close' | 'terminate'>;
  graceMs: number;
  /** Ends the requests that wait for runs or nodes. */
  endWaits: () => void;
}

/**
 * Stops accepting connections and waits for running requests. After `graceMs`, requests that wait for runs or nodes and open
 * WebSockets are ended, and the remaining connections are closed a second later.
 */
export async function closeServer(
  server: Server,
  { sockets, graceMs, endWaits }: CloseOptions,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  sockets.drain();
  let timer = setTimeout(() => {
    endWaits();
    sockets.close();
    timer = setTimeout(() => {
      server.closeAllConnections();
      sockets.terminate();
    }, lastAnswersMs);
  }, graceMs);
  await closed;
  clearTimeout(timer);
}
