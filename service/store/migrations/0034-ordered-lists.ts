import type { Knex } from 'knex';

/** Lists of keys and clients are read in parts, in the order of creation. */
export const orderedLists: Knex.Migration = {
  async up(tx) {
    for (const table of ['api_keys', 'clients']) {
      await tx.schema.alterTable(table, (t) => t.index(['tenant_id', 'created_at', 'id']));
    }
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
