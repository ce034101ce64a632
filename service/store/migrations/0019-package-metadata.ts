import type { Knex } from 'knex';

/** Clients get metadata for the packages that are built from them. Existing clients have none. */
export const packageMetadata: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('clients', (t) => t.text('metadata').notNullable().defaultTo('{}'));
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
