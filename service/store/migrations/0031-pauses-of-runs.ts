import type { Knex } from 'knex';

/**
 * The index of the pauses of a run no longer starts with the tenant. Until PostgreSQL had analyzed the table, it used that index
 * for lookups by tenant and id, and read all pauses of the tenant.
 */
export const pausesOfRuns: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('pauses', (t) => {
      t.dropIndex(['tenant_id', 'execution_id', 'id']);
      t.index(['execution_id', 'id']);
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
