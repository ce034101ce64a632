import type { Knex } from 'knex';

/** Pauses of runs. */
export const pauses: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('pauses', (t) => {
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('execution_id').notNullable();
      t.integer('seq').notNullable();
      t.text('node').notNullable();
      t.text('status').notNullable();
      t.text('question').notNullable();
      t.text('resume_schema').notNullable();
      t.bigInteger('created_at').notNullable();
      t.bigInteger('expires_at').notNullable();
      t.bigInteger('resumed_at');
      t.bigInteger('escalated_at');
      t.text('decision_id');
      t.text('resumed_by');
      t.text('resume_value');
      t.primary(['tenant_id', 'id']);
      t.index(['tenant_id', 'execution_id', 'id']);
      const waiting = tx.whereRaw("status = 'WAITING'");
      // A run waits for one decision at a time.
      t.unique(['tenant_id', 'execution_id'], { indexName: 'pauses_waiting_unique', predicate: waiting });
      // The inbox of a tenant.
      t.index(['tenant_id', 'id'], 'pauses_inbox_index', { predicate: waiting });
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
