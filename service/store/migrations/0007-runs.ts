import type { Knex } from 'knex';

/** Runs of flows: journals, owners, and the tables for admission. */
export const runs: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('executions', (t) => {
      t.text('lineage_root_execution_id');
      t.integer('mutation_enabled').notNullable().defaultTo(0);
      t.integer('mocked_node_count').notNullable().defaultTo(0);
      // Open runs only: the replica that owns the run, or the empty text, and the time at which it continues.
      t.text('owner');
      t.bigInteger('wake_at');
      t.integer('epoch').notNullable().defaultTo(0);
    });
    await tx.schema.alterTable('executions', (t) => {
      // Claims select open runs of all tenants.
      t.index(['owner', 'wake_at'], 'executions_open_index', {
        predicate: tx.whereRaw('owner is not null'),
      });
    });
    await tx.schema.createTable('journal', (t) => {
      t.text('tenant_id').notNullable();
      t.text('execution_id').notNullable();
      t.integer('seq').notNullable();
      t.text('body').notNullable();
      t.bigInteger('at').notNullable();
      // The primary key is the fence: if two replicas continue a run, only one can append the row.
      t.primary(['tenant_id', 'execution_id', 'seq']);
    });
    await tx.schema.createTable('idempotency', (t) => {
      t.text('tenant_id').notNullable();
      t.text('key_hash').notNullable();
      t.text('execution_id').notNullable();
      t.bigInteger('created_at').notNullable();
      t.primary(['tenant_id', 'key_hash']);
      t.index(['created_at']);
    });
    await tx.schema.createTable('daily_usage', (t) => {
      t.text('tenant_id').notNullable();
      t.integer('day').notNullable();
      t.integer('invocations').notNullable();
      t.integer('executions').notNullable();
      t.primary(['tenant_id', 'day']);
    });
    await tx.schema.createTable('replicas', (t) => {
      t.text('id').notNullable().primary();
      t.bigInteger('heartbeat_at').notNullable();
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
