import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';

const installed = '/usr/lib/postgresql';

/** A server of the installed PostgreSQL, for tests of its tools: `pg_dump` cannot read a newer server. */
interface InstalledPostgres {
  /** Folder of the programs. */
  bin: string;
  port: number;
  /** A superuser without a password. */
  superuser: string;
  /** Creates an empty database, and returns its URL. */
  createDatabase(name: string): string;
  stop(): void;
}

/** Returns the folder of the newest installed server with its tools, or undefined if there is none. */
export function installedPostgresBin(): string | undefined {
  const versions = existsSync(installed) ? readdirSync(installed) : [];
  return versions
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => path.join(installed, version, 'bin'))
    .find((bin) =>
      ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore'].every((name) => existsSync(path.join(bin, name))),
    );
}

export async function startInstalledPostgres(): Promise<InstalledPostgres> {
  const bin = installedPostgresBin() ?? '';
  const superuser = 'postgres';
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-postgres-'));
  const user = serverUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const run = (name: string, ...args: string[]): void => {
    execFileSync(path.join(bin, name), args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      ...user,
    });
  };
  run('initdb', '--pgdata', data, `--username=${superuser}`, '--auth=trust', '--encoding=UTF8', '--no-sync');
  const port = await freePort();
  const settings = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
  run(
    'pg_ctl',
    'start',
    '--pgdata',
    data,
    '--wait',
    '--log',
    path.join(folder, 'log'),
    '--options',
    settings,
  );
  const url = (name: string): string => `postgres://${superuser}@127.0.0.1:${port}/${name}`;
  return {
    bin,
    port,
    superuser,
    createDatabase: (name) => {
      run('psql', '--quiet', '--command', `create database ${name}`, url('postgres'));
      return url(name);
    },
    stop: () => {
      run('pg_ctl', 'stop', '--pgdata', data, '--mode=immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the user of the server, which refuses to run as root. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string): number =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
