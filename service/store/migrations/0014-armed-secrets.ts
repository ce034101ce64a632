import type { Knex } from 'knex';

/** The time until which development runs may use a secret. */
export const armedSecrets: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('secrets', (t) => t.bigInteger('armed_until'));
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
