import { createHash } from 'node:crypto';
import type { FileRegistry } from '@bufbuild/protobuf';
import { linkDescriptors } from '../../specs/messages/link-descriptors.ts';
import { withoutSourceInfo } from './wire/without-source-info.ts';

/**
 * The message types of a package version: a protobuf-es registry with the descriptors it was built from, so that a worker thread can
 * build the same one. Types are looked up by full name: `getMessage('acme.text.v1.Word')`.
 */
export interface MessageRegistry extends FileRegistry {
  readonly descriptorSet: Uint8Array;
  /** Hash of the descriptors. */
  readonly key: string;
}

/**
 * Links a binary `google.protobuf.FileDescriptorSet` from `compileProtos`. Linking takes milliseconds, about 100 ms for the
 * largest sources, and the first conversion of each message compiles its codecs, so callers should cache the result per package
 * version. The types have no comments; `descriptorSet` does.
 *
 * @throws Error when the descriptors cannot be linked. `compileProtos` rejects such descriptors before they are published.
 */
export function createRegistry(descriptorSet: Uint8Array): MessageRegistry {
  const registry = linkDescriptors(withoutSourceInfo(descriptorSet));
  const key = createHash('sha256').update(descriptorSet).digest('hex');
  return Object.assign(registry, { descriptorSet, key });
}
