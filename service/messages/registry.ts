import { createHash } from 'node:crypto';
import type { FileRegistry } from '@bufbuild/protobuf';
import { linkDescriptors } from '../../specs/messages/link-descriptors.ts';

/**
 * The types of a package version: a protobuf-es registry that also knows what it was made of, so that a worker can make its
 * own. Types are looked up by full name (`getMessage('acme.text.v1.Word')`).
 */
export interface MessageRegistry extends FileRegistry {
  readonly descriptorSet: Uint8Array;
  /** Registries of equal descriptors have equal keys. */
  readonly key: string;
}

/**
 * Links a binary `google.protobuf.FileDescriptorSet` (from `compileProtos`). Costs milliseconds, and the first conversion of
 * each message compiles its codecs: callers keep it per package version.
 *
 * @throws Error when the descriptors cannot be linked, which `compileProtos` has ruled out for published packages.
 */
export function createRegistry(descriptorSet: Uint8Array): MessageRegistry {
  const registry = linkDescriptors(descriptorSet);
  const key = createHash('sha256').update(descriptorSet).digest('hex');
  return Object.assign(registry, { descriptorSet, key });
}
