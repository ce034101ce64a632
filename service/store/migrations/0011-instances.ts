import type { Knex } from 'knex';

/** Bindings of the nodes of Instances. The nodes themselves are in `nodes`. */
export const instances: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('instances', (t) => {
      t.text('tenant_id').notNullable();
      t.text('node_id').notNullable();
      t.text('package_id').notNullable();
      t.text('version_id').notNullable();
      // The generic node may belong to another tenant, so there are no foreign keys.
      t.text('generic_tenant_id').notNullable();
      t.text('generic_version_id').notNullable();
      t.text('generic_node_id').notNullable();
      t.text('generic_package').notNullable();
      t.text('generic_version').notNullable();
      t.text('generic_node').notNullable();
      t.text('input_message');
      t.text('output_message');
      t.binary('descriptor_set').notNullable();
      t.bigInteger('created_at').notNullable();
      t.primary(['tenant_id', 'node_id']);
      t.index(['tenant_id', 'package_id']);
      t.foreign(['tenant_id', 'node_id']).references(['tenant_id', 'id']).inTable('nodes');
      t.foreign(['tenant_id', 'package_id']).references(['tenant_id', 'id']).inTable('packages');
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
