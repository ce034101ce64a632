import type { Knex } from 'knex';

interface StoredGraph {
  tenant_id: string;
  id: string;
  compiled: string;
}

/** Columns for lists of flows, so that a list need not read and parse the large compiled flows. */
export const graphLists: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('graphs', (t) => {
      t.text('input_message').notNullable().defaultTo('');
      t.text('output_message').notNullable().defaultTo('');
      t.text('mocked_nodes').notNullable().defaultTo('[]');
      t.text('required_secrets').notNullable().defaultTo('[]');
      t.text('warnings').notNullable().defaultTo('[]');
    });
    const ids = await tx<StoredGraph>('graphs').select('tenant_id', 'id');
    // Reads one flow at a time, because all of them may not fit into memory.
    for (const key of ids) {
      const row = await tx<StoredGraph>('graphs').where(key).first('compiled');
      const { inputMessage, outputMessage, mockedNodes, requiredSecrets, warnings } = JSON.parse(
        row?.compiled ?? '{}',
      ) as Record<string, unknown>;
      await tx('graphs')
        .where(key)
        .update({
          input_message: inputMessage,
          output_message: outputMessage,
          mocked_nodes: JSON.stringify(mockedNodes),
          required_secrets: JSON.stringify(requiredSecrets),
          warnings: JSON.stringify(warnings),
        });
    }
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
