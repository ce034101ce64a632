import type { Knex } from 'knex';

/** Decisions on pauses that another decision had ended. */
export const lateDecisions: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('late_decisions', (t) => {
      t.text('tenant_id').notNullable();
      t.text('execution_id').notNullable();
      t.text('pause_id').notNullable();
      t.text('id').notNullable();
      t.bigInteger('decided_at').notNullable();
      t.text('resumed_by').notNullable();
      t.text('value');
      t.primary(['tenant_id', 'execution_id', 'pause_id', 'id']);
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
