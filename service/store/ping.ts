import type { Database } from './database.ts';

/** Resolves when the database answers. */
export async function ping(db: Database): Promise<void> {
  await db.knex.raw('select 1');
}
