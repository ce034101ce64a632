import type { Knex } from 'knex';

interface StoredGraph {
  tenant_id: string;
  id: string;
  compiled: string;
}

/** What lists show of a flow in columns of its own: the compiled flow is large, and would be read and parsed for each. */
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
    // One at a time: together they may be more than fits into memory.
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
  down: () => Promise.reject(new Error('the schema goes only forward')),
};
