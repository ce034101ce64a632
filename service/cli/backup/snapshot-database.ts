import SqliteConnection from 'better-sqlite3';
import { busyTimeoutMs } from '../../store/sqlite-connection.ts';
import { CliError } from '../output.ts';

/** Facts about a copied database that the manifest of its backup needs. */
export interface Snapshot {
  /** Migrations applied to the database, oldest first. */
  migrations: string[];
  /** Fingerprint of the key that encrypts secrets and tokens, `undefined` if nothing was encrypted yet. */
  sealingKey: string | undefined;
}

/**
 * Copies a database that may be in use to an empty file. The copy is the committed state at one moment.
 *
 * @throws CliError if the database is damaged
 */
export async function snapshotDatabase(file: string, copy: string): Promise<Snapshot> {
  const source = new SqliteConnection(file, { fileMustExist: true, timeout: busyTimeoutMs });
  try {
    // Copies all pages in one step, which reads a single version of the database. Smaller steps would restart after each commit.
    await source.backup(copy, { progress: () => 0x7fffffff });
  } finally {
    source.close();
  }
  const snapshot = new SqliteConnection(copy);
  try {
    // The copy must be a single file, even while it is inspected.
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
