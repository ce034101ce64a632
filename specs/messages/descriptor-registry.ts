import type { FileRegistry } from '@bufbuild/protobuf';
import { remembering } from '../remembering.ts';
import { linkDescriptors } from './link-descriptors.ts';

/**
 * The types of a binary `google.protobuf.FileDescriptorSet`. An array is read once, for as long as it lives: nobody may change
 * its bytes.
 */
export const descriptorRegistry = remembering((descriptorSet: Uint8Array): FileRegistry =>
  linkDescriptors(descriptorSet),
);
