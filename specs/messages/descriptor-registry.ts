import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import type { FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

const registries = new WeakMap<Uint8Array, FileRegistry>();

/**
 * The types of a binary `google.protobuf.FileDescriptorSet`. An array is read once, for as long as it lives: nobody may change
 * its bytes.
 */
export function descriptorRegistry(descriptorSet: Uint8Array): FileRegistry {
  const registry =
    registries.get(descriptorSet) ?? createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorSet));
  registries.set(descriptorSet, registry);
  return registry;
}
