import type { Database } from './database.ts';

/** Resolves if the database responds. */
export async function ping(db: Database): Promise<void> {
  await db.knex.raw('select 1');
}
