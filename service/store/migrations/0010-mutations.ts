import type { Knex } from 'knex';

/** How often nodes of a run have grown its graph. */
export const mutations: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('executions', (t) => {
      t.integer('mutation_seq').notNullable().defaultTo(0);
    });
  },
  down: () => Promise.reject(new Error('the schema goes only forward')),
};
