import type { Knex } from 'knex';

/** Packages, their immutable versions, and the nodes of a version. */
export const packages: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('packages', (t) => {
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('handle').notNullable();
      t.text('name').notNullable();
      t.text('visibility').notNullable();
      t.text('description').notNullable();
      t.bigInteger('created_at').notNullable();
      t.primary(['tenant_id', 'id']);
      t.unique(['tenant_id', 'name']);
      // Callers name packages by the handle of any tenant.
      t.index(['handle', 'name']);
      t.foreign('tenant_id').references('tenants.id');
    });
    await tx.schema.createTable('package_versions', (t) => {
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('package_id').notNullable();
      t.text('version').notNullable();
      t.text('description').notNullable();
      t.text('content_hash').notNullable();
      t.text('protos').notNullable();
      t.binary('descriptor_set').notNullable();
      t.text('endpoint');
      t.bigInteger('created_at').notNullable();
      t.primary(['tenant_id', 'id']);
      t.unique(['tenant_id', 'package_id', 'version']);
      t.foreign(['tenant_id', 'package_id']).references(['tenant_id', 'id']).inTable('packages');
    });
    await tx.schema.createTable('nodes', (t) => {
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('version_id').notNullable();
      t.integer('position').notNullable();
      t.text('name').notNullable();
      t.text('mode').notNullable();
      t.text('kind').notNullable();
      t.text('generic_ports').notNullable();
      t.text('input_message');
      t.text('output_message');
      t.text('description').notNullable();
      t.text('required_secrets').notNullable();
      t.primary(['tenant_id', 'id']);
      t.unique(['tenant_id', 'version_id', 'name']);
      // Callers name nodes of any tenant by ULID.
      t.index(['id']);
      t.foreign(['tenant_id', 'version_id']).references(['tenant_id', 'id']).inTable('package_versions');
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
