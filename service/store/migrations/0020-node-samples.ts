import type { Knex } from 'knex';

/** Nodes get a sample of their input. Nodes that are already published have none. */
export const nodeSamples: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('nodes', (t) => t.text('sample'));
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
