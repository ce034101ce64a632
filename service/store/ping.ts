import type { Database } from './database.ts';
import { statementReason } from './database-errors.ts';
import { beat } from './replicas.ts';

/**
 * Checks that the database can store data: commits the heartbeat of a replica, and checks SQLite's file.
 *
 * @throws Error with the reason, without the statement
 */
export async function ping(db: Database, replica: string): Promise<void> {
  await db.file?.check();
  try {
    await beat(db.knex, replica);
  } catch (error) {
    throw new Error(`the database cannot store data: ${statementReason(error as Error)}`, { cause: error });
  }
}
