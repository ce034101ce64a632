import type { Knex } from 'knex';

/** The number of mutations of a run's graph. */
export const mutations: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('executions', (t) => {
      t.integer('mutation_seq').notNullable().defaultTo(0);
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
