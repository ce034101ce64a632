import type { Knex } from 'knex';

/** Streams whose input and output are separate requests, and their output frames. */
export const splitStreams: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('split_streams', (t) => {
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('execution_id').notNullable();
      t.text('node_id').notNullable();
      t.text('node_fqn').notNullable();
      t.text('status').notNullable();
      t.text('owner');
      // No longer used: executions have the time at which the stream was created.
      t.bigInteger('started_at');
      t.integer('input_frames').notNullable();
      t.integer('frames').notNullable();
      t.text('error');
      t.bigInteger('created_at').notNullable();
      t.bigInteger('expires_at').notNullable();
      t.primary(['tenant_id', 'id']);
      t.index(['expires_at']);
      // For the search for streams whose process has died.
      const uploading = tx.whereRaw("status = 'uploading'");
      t.index(['owner'], 'split_streams_uploading_index', { predicate: uploading });
    });
    await tx.schema.createTable('split_chunks', (t) => {
      t.text('tenant_id').notNullable();
      t.text('stream_id').notNullable();
      t.integer('first_frame').notNullable();
      t.text('body');
      t.text('blob');
      t.primary(['tenant_id', 'stream_id', 'first_frame']);
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
