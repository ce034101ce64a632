import type { Knex } from 'knex';

/**
 * The topic of a run: a digest of the debug session that its invocation named, and the app key that started it. Other executions
 * have neither.
 */
export const topics: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('executions', (t) => {
      t.text('topic');
      t.text('topic_app_key');
    });
    await tx.schema.alterTable('executions', (t) => {
      t.index(['tenant_id', 'topic', 'id'], 'executions_topic_index', {
        predicate: tx.whereRaw('topic is not null'),
      });
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
