import SqliteConnection from 'better-sqlite3';
import { busyTimeoutMs } from '../../store/sqlite-connection.ts';
import { CliError } from '../output.ts';

export interface Snapshot {
  /** Migrations that the database has, oldest first. */
  migrations: string[];
  /** Fingerprint of the key that encrypts secrets and tokens, `undefined` if nothing was encrypted yet. */
  sealingKey: string | undefined;
}

/**
 * Copies a database that may be in use to an empty file. The copy is what was committed at one moment.
 *
 * @throws CliError if the database is damaged
 */
export async function snapshotDatabase(file: string, copy: string): Promise<Snapshot> {
  const source = new SqliteConnection(file, { fileMustExist: true, timeout: busyTimeoutMs });
  try {
    // All pages in one step: it reads a single version of the database, while smaller steps start again after each commit.
    await source.backup(copy, { progress: () => 0x7fffffff });
  } finally {
    source.close();
  }
  const snapshot = new SqliteConnection(copy);
  try {
    // The copy is one file, also while it is looked at.
    snapshot.pragma('journal_mode = DELETE');
    const check = snapshot.pragma('quick_check(1)', { simple: true });
    if (check !== 'ok') {
      throw new CliError(`the database ${file} is damaged (${String(check)}): restore an earlier backup`);
    }
    return {
      migrations: snapshot
        .prepare('select name from schema_migrations order by id')
        .pluck()
        .all() as string[],
      sealingKey: snapshot.prepare('select fingerprint from sealing_key').pluck().get() as string | undefined,
    };
  } finally {
    snapshot.close();
  }
}
