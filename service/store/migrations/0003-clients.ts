import type { Knex } from 'knex';

/** Clients with their members, versions and builds, which are deleted with the client. */
export const clients: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('clients', (t) => {
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('name').notNullable();
      t.text('slug').notNullable();
      t.text('description').notNullable();
      t.text('default_language').notNullable();
      t.integer('latest_version').notNullable();
      t.bigInteger('created_at').notNullable();
      t.bigInteger('updated_at').notNullable();
      t.primary(['tenant_id', 'id']);
      t.unique(['tenant_id', 'name']);
      t.unique(['tenant_id', 'slug']);
      t.foreign('tenant_id').references('tenants.id');
    });
    await tx.schema.createTable('client_members', (t) => {
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('client_id').notNullable();
      t.text('member_type').notNullable();
      t.text('alias').notNullable();
      t.text('package_name');
      t.text('package_version');
      t.text('node_ulid');
      t.text('artifact_id');
      t.bigInteger('created_at').notNullable();
      t.primary(['tenant_id', 'id']);
      t.unique(['tenant_id', 'client_id', 'alias']);
      t.foreign(['tenant_id', 'client_id'])
        .references(['tenant_id', 'id'])
        .inTable('clients')
        .onDelete('CASCADE');
    });
    await tx.schema.createTable('client_versions', (t) => {
      t.text('tenant_id').notNullable();
      t.text('client_id').notNullable();
      t.integer('version').notNullable();
      t.text('semver').notNullable();
      t.text('snapshot').notNullable();
      t.bigInteger('created_at').notNullable();
      t.primary(['tenant_id', 'client_id', 'version']);
      t.foreign(['tenant_id', 'client_id'])
        .references(['tenant_id', 'id'])
        .inTable('clients')
        .onDelete('CASCADE');
    });
    await tx.schema.createTable('client_builds', (t) => {
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('client_id').notNullable();
      t.integer('version').notNullable();
      t.text('language').notNullable();
      t.text('status').notNullable();
      t.text('error');
      t.text('sha256');
      t.bigInteger('size');
      t.bigInteger('created_at').notNullable();
      t.text('lease_owner');
      t.bigInteger('lease_until');
      t.primary(['tenant_id', 'id']);
      t.unique(['tenant_id', 'client_id', 'version', 'language']);
      t.foreign(['tenant_id', 'client_id', 'version'])
        .references(['tenant_id', 'client_id', 'version'])
        .inTable('client_versions')
        .onDelete('CASCADE');
      // A claim selects the oldest pending row of all tenants. Pending rows are few.
      t.index(['created_at', 'id'], 'client_builds_pending_index', {
        predicate: tx.whereRaw("status = 'pending'"),
      });
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
