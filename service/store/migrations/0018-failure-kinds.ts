import type { Knex } from 'knex';

/** The cause of a failed node call, which its events name. */
export const failureKinds: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('executions', (t) => {
      t.text('failure_kind');
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
