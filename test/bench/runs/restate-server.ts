import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChildProcesses } from './child-processes.ts';

/**
 * Starts a Restate server with its defaults: one node, with its log and its partition store in RocksDB. The WAL of the
 * log is synced before an append is acknowledged (`rocksdb-disable-wal-fsync = false`). The server listens on loopback
 * only, without telemetry.
 *
 * @param handlers URL of the process with the services
 * @returns URL of the ingress
 * @throws Error with installation instructions if the server is missing
 */
export async function startRestate(
  children: ChildProcesses,
  { folder, handlers }: { folder: string; handlers: string },
): Promise<string> {
  const [fabric, ingress, admin] = await freePorts(3);
  await mkdir(folder, { recursive: true });
  const address = (port: number | undefined): string => `127.0.0.1:${port ?? 0}`;
  children.program(serverProgram(), ['--no-logo', '--base-dir', path.join(folder, 'restate-data')], {
    cwd: folder,
    env: {
      RESTATE_DISABLE_TELEMETRY: 'true',
      DO_NOT_TRACK: '1',
      RESTATE_LISTEN_MODE: 'tcp',
      RESTATE_BIND_IP: '127.0.0.1',
      RESTATE_ADVERTISED_HOST: '127.0.0.1',
      RESTATE_BIND_ADDRESS: address(fabric),
      RESTATE_INGRESS__BIND_ADDRESS: address(ingress),
      RESTATE_ADMIN__BIND_ADDRESS: address(admin),
      RESTATE_LOG_SERVER__ROCKSDB_DISABLE_WAL_FSYNC: 'false',
      RUST_LOG: 'warn',
    },
  });
  await register(`http://${address(admin)}`, handlers);
  return `http://${address(ingress)}`;
}

/** Returns the path of the program itself, because its launcher would intercept our signals. */
function serverProgram(): string {
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`;
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(`${name} is missing: run "npm ci --prefix test/bench/runs"`);
  }
}

const attempts = 150;

async function register(admin: string, uri: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(`${admin}/deployments`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ uri }),
    }).catch(() => undefined);
    if (answer?.ok) return;
    if (attempt === attempts) throw new Error(`restate: ${(await answer?.text()) ?? 'does not answer'}`);
    await pause(200);
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
