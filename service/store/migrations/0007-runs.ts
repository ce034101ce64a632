import type { Knex } from 'knex';

/** Runs of flows: their journal, who works on them, and what guards their admission. */
export const runs: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('executions', (t) => {
      t.text('lineage_root_execution_id');
      t.integer('mutation_enabled').notNullable().defaultTo(0);
      t.integer('mocked_node_count').notNullable().defaultTo(0);
      // Of open runs only: the replica that works on it, the empty text for none, and when it wants to be taken up again.
      t.text('owner');
      t.bigInteger('wake_at');
      t.integer('epoch').notNullable().defaultTo(0);
    });
    await tx.schema.alterTable('executions', (t) => {
      // Claims look across tenants, among open runs alone.
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
      // The key is the fence of DESIGN.md 6: of two that go on with one run, one finds its place taken.
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
  down: () => Promise.reject(new Error('the schema goes only forward')),
};
