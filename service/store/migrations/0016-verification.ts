import type { Knex } from 'knex';

/** Stores whether the container of a deployed version has been verified. Null: it has not been asked. */
export const verification: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('package_versions', (t) => {
      t.text('verification');
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
