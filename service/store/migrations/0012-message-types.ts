import type { DescriptorProto } from '@bufbuild/protobuf/wkt';
import type { Knex } from 'knex';

interface Version {
  tenant_id: string;
  id: string;
  descriptor_set: Uint8Array;
}

/** Index of the messages of package versions by full name. */
export const messageTypes: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('message_types', (t) => {
      t.text('tenant_id').notNullable();
      t.text('version_id').notNullable();
      t.text('name').notNullable();
      t.primary(['tenant_id', 'version_id', 'name']);
      // Public packages of any tenant may contain the name.
      t.index(['name']);
      t.foreign(['tenant_id', 'version_id']).references(['tenant_id', 'id']).inTable('package_versions');
    });
    const versions = await tx<Version>('package_versions').select('tenant_id', 'id');
    for (const { tenant_id, id } of versions) {
      const version = await tx<Version>('package_versions').where({ tenant_id, id }).first('descriptor_set');
      const names = version ? await namesIn(version.descriptor_set) : [];
      const rows = names.map((name) => ({ tenant_id, version_id: id, name }));
      await tx.batchInsert('message_types', rows, 200);
    }
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};

async function namesIn(descriptorSet: Uint8Array): Promise<string[]> {
  // Loaded only when there is something to migrate: every command that opens the database loads this file.
  const { fromBinary } = await import('@bufbuild/protobuf');
  const { FileDescriptorSetSchema } = await import('@bufbuild/protobuf/wkt');
  const within = (messages: DescriptorProto[], prefix: string): string[] =>
    messages
      .filter(({ options }) => options?.mapEntry !== true)
      .flatMap(({ name, nestedType }) => [`${prefix}${name}`, ...within(nestedType, `${prefix}${name}.`)]);
  return fromBinary(FileDescriptorSetSchema, descriptorSet)
    .file.filter((file) => file.package !== 'google.protobuf')
    .flatMap((file) => within(file.messageType, file.package === '' ? '' : `${file.package}.`));
}
