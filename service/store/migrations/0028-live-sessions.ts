import type { Knex } from 'knex';

/** Open live sessions, each of which holds a slot of its tenant. */
export const liveSessions: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('live_sessions', (t) => {
      t.text('tenant_id').notNullable();
      t.text('execution_id').notNullable();
      t.text('owner').notNullable();
      t.primary(['tenant_id', 'execution_id']);
      t.index(['owner']);
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
