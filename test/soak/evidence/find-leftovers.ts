import { readdirSync } from 'node:fs';
import path from 'node:path';
import { databaseNow } from '../../../service/store/database-clock.ts';
import type { Database } from '../../../service/store/database.ts';
import type { SoakReplica } from '../deployment/soak-replica.ts';

/** Heartbeats of killed processes are removed after an hour. */
const heartbeatsMs = 3_600_000;

/** The folders of a deployment. */
interface Folders {
  dataDir: string;
  replicas: readonly Pick<SoakReplica, 'name' | 'temporary'>[];
}

/** Lists what an idle service must not have: open work in the database, and orphaned files. */
export async function findLeftovers(db: Database, folders: Folders): Promise<string[]> {
  return [...(await openRows(db)), ...(await strayBlobs(db, folders)), ...temporaryFiles(folders)];
}

async function openRows({ knex }: Database): Promise<string[]> {
  const rows = async (what: string, query: PromiseLike<unknown[]>): Promise<string[]> =>
    (await query).map((row) => `${what}: ${JSON.stringify(row)}`);
  const shown = ['id', 'status', 'owner', 'graph_id'];
  return [
    ...(await rows('an open execution', knex('executions').whereNull('completed_at').select(shown))),
    ...(await rows(
      'an ended execution with an owner',
      knex('executions').whereNotNull('completed_at').whereNotNull('owner').select(shown),
    )),
    ...(await rows(
      'a waiting pause',
      knex('pauses').where({ status: 'WAITING' }).select('id', 'execution_id'),
    )),
    ...(await rows('a live session', knex('live_sessions').select())),
    ...(await rows(
      'an upload',
      knex('split_streams').where({ status: 'uploading' }).select('id', 'execution_id', 'owner'),
    )),
    ...(await rows(
      'an old heartbeat',
      knex('replicas')
        .whereRaw(`abs(${databaseNow(knex)} - heartbeat_at) >= ?`, [heartbeatsMs])
        .select(),
    )),
  ];
}

/** Finds orphaned blobs. The folder of a blob is named for its execution or stream. */
async function strayBlobs({ knex }: Database, { dataDir }: Folders): Promise<string[]> {
  const owners = new Set<string>();
  for (const table of ['executions', 'split_streams'])
    for (const { id } of await knex(table).select<{ id: string }[]>('id')) owners.add(id);
  return filesUnder(path.join(dataDir, 'blobs'))
    .filter((file) => !file.split(path.sep).some((part) => owners.has(part)))
    .map((file) => `a file in the data folder: ${file}`);
}

/**
 * Finds temporary files. A replica that is killed while it compiles leaves the folder of the compiler, as
 * docs/operating.md describes.
 */
function temporaryFiles({ replicas }: Folders): string[] {
  return replicas.flatMap(({ name, temporary }) =>
    readdirSync(temporary)
      .filter((file) => !file.startsWith('svc-protos-'))
      .map((file) => `a temporary file of ${name}: ${file}`),
  );
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}
