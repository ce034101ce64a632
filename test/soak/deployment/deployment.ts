import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '../../../service/store/database.ts';
import { type DatabaseOptions, openDatabase } from '../../../service/store/open-database.ts';
import { migratedPostgresOptions, migratedSqliteOptions } from '../../support/databases.ts';
import { postgresServer } from '../../support/postgres-server.ts';
import type { SoakOptions } from '../options.ts';
import type { PackageTitle } from './packages.ts';
import { type SoakContainer, startContainer } from './soak-container.ts';
import { type SoakReplica, startReplica } from './soak-replica.ts';
import { createTenants, type SoakTenant } from './soak-tenants.ts';

/** Everything that a soak runs against. */
export interface Deployment {
  /** Folder of logs and temporary files. */
  folder: string;
  /** The data folder that the replicas share. */
  dataDir: string;
  replicas: readonly SoakReplica[];
  containers: Readonly<Record<PackageTitle, SoakContainer>>;
  tenants: readonly SoakTenant[];
  /** Opens the database for inspection. */
  openDatabase(): Promise<Database>;
  /** Kills everything. */
  stop(options: { keepsFolder: boolean }): Promise<void>;
}

/** Starts a database, replicas and containers, and creates the tenants. */
export async function startDeployment(options: SoakOptions): Promise<Deployment> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-soak-'));
  chmodSync(folder, 0o700);
  const database: DatabaseOptions = await (options.database === 'postgres'
    ? migratedPostgresOptions()
    : migratedSqliteOptions());
  const { dataDir, url } = database;
  const env = {
    SVC_DATA_DIR: dataDir,
    SVC_SECRET_KEY: 'ab'.repeat(32),
  };
  const containers = { steps: await startContainer('steps'), streams: await startContainer('streams') };
  const replicas: SoakReplica[] = [];
  const kill = (): Promise<unknown> =>
    Promise.all([...replicas, ...Object.values(containers)].map((each) => each.kill()));
  // `kill` sends its signals before it awaits anything.
  process.on('exit', () => void kill());
  for (let n = 0; n < options.replicas; n += 1)
    replicas.push(await startReplica(`replica-${n}`, folder, env, url ?? undefined));
  const open = (): Promise<Database> => openDatabase({ ...database, sync: 'full' });
  const db = await open();
  const tenants = await createTenants(db, replicas[0]!.url, containers, options.seconds);
  await db.close();
  return {
    folder,
    dataDir,
    replicas,
    containers,
    tenants,
    openDatabase: open,
    stop: async ({ keepsFolder }) => {
      await kill();
      for (const { link } of replicas) await link?.stop();
      if (keepsFolder) return;
      for (const each of [folder, dataDir]) rmSync(each, { recursive: true, force: true });
    },
  };
}

/** Kills the database server, and restarts it when `away` resolves. */
export async function restartDatabase(away: () => Promise<void>): Promise<void> {
  const server = await postgresServer();
  await server.kill();
  await away();
  await server.startAgain();
}

/** Suspends the database server until `away` resolves. */
export async function stallDatabase(away: () => Promise<void>): Promise<void> {
  const server = await postgresServer();
  server.freeze();
  await away();
  server.thaw();
}
