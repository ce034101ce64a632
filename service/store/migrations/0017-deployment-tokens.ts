import type { Knex } from 'knex';

/**
 * Deployments get a token, which is stored encrypted. `sealing_key` has one row: the fingerprint of the key that encrypts tokens and
 * secrets, written with the first of them.
 */
export const deploymentTokens: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('package_versions', (t) => t.binary('sealed_token'));
    await tx.schema.createTable('sealing_key', (t) => {
      t.text('id').primary();
      t.text('fingerprint').notNullable();
      t.bigInteger('changed_at').notNullable();
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
