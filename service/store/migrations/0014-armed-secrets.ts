import type { Knex } from 'knex';

/** Until when a secret may be used by development runs; absent: it may not. */
export const armedSecrets: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('secrets', (t) => t.bigInteger('armed_until'));
  },
  down: () => Promise.reject(new Error('the schema goes only forward')),
};
