import type { Knex } from 'knex';

/** Forks of runs. */
export const forks: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('executions', (t) => {
      t.text('forked_from_execution_id');
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
