import { createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import type { FileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { remembering } from '../remembering.ts';

/**
 * The types of a binary `google.protobuf.FileDescriptorSet`. An array is read once, for as long as it lives: nobody may change
 * its bytes.
 */
export const descriptorRegistry = remembering((descriptorSet: Uint8Array): FileRegistry =>
  createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorSet)),
);
