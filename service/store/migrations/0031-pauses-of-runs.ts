import type { Knex } from 'knex';

/**
 * The index of the pauses of a run no longer starts with the tenant. PostgreSQL took that index for a lookup by tenant and id as long as
 * it had not analyzed the table, and then read all pauses of the tenant.
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
