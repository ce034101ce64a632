import type { Knex } from 'knex';

/** The node that a failed run ended at. */
export const failedNodes: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('executions', (t) => {
      t.text('failed_node');
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
