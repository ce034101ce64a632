import type { Knex } from 'knex';
import { isPostgres } from '../database.ts';

/**
 * Turns SQLite's idempotency keys into a log in time order. If they were ordered by hash, each key of a commit would write a
 * different page.
 */
export const keyLog: Knex.Migration = {
  async up(tx) {
    if (isPostgres(tx)) return;
    await tx.schema.renameTable('idempotency', 'idempotency_by_hash');
    await tx.schema.createTable('idempotency', (t) => {
      t.integer('seq').primary();
      t.text('tenant_id').notNullable();
      t.text('key_hash').notNullable();
      t.text('execution_id').notNullable();
      t.bigInteger('created_at').notNullable();
    });
    await tx.raw(
      `insert into idempotency (tenant_id, key_hash, execution_id, created_at)
       select tenant_id, key_hash, execution_id, created_at from idempotency_by_hash order by created_at`,
    );
    await tx.schema.dropTable('idempotency_by_hash');
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
