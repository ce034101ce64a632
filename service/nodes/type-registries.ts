import { BoundedCache } from '../bounded-cache.ts';
import { createRegistry, type MessageRegistry } from '../messages/registry.ts';
import type { Tx } from '../store/database.ts';
import type { Node } from '../store/nodes.ts';
import { findPackageVersionById, type PackageVersion } from '../store/package-versions.ts';

/** Type registries of package versions. Each is linked once and shared by everything that uses the version. */
export interface TypeRegistries {
  /**
   * @param messages full names that the registry must contain. If one is missing, the version is read again,
   *   because a new Instance adds messages to its version
   * @throws Error when the version does not exist. The types of a deleted version remain available.
   */
  registry(
    tx: Tx,
    ownerTenantId: string,
    versionId: string,
    messages?: readonly string[],
  ): Promise<MessageRegistry>;
  /** Returns the registry of a version that the caller has read. */
  registryOf(version: ReadVersion, messages: readonly string[]): MessageRegistry;
}

type ReadVersion = Pick<PackageVersion, 'id' | 'descriptorSet'>;

/** Maximum number of cached registries. A registry takes milliseconds to link and megabytes of memory. */
const keptRegistries = 1_000;

/** Creates an empty cache. A process has one, which calls, flows, previews and documents share. */
export function createTypeRegistries(): TypeRegistries {
  const registries = new BoundedCache<string, MessageRegistry>(keptRegistries);

  const registryOf = (version: ReadVersion, messages: readonly string[]): MessageRegistry => {
    const known = registries.get(version.id);
    // The same descriptors would link to the same messages.
    if (
      known &&
      (hasAll(known, messages) || Buffer.compare(known.descriptorSet, version.descriptorSet) === 0)
    )
      return known;
    const registry = createRegistry(version.descriptorSet);
    registries.set(version.id, registry);
    return registry;
  };

  return {
    registry: async (tx, ownerTenantId, versionId, messages = []) => {
      const known = registries.get(versionId);
      if (known && hasAll(known, messages)) return known;
      const version = await findPackageVersionById(tx, ownerTenantId, versionId);
      if (!version) throw new Error(`package version ${versionId} does not exist`);
      // Another caller may have linked the version meanwhile.
      return registryOf(version, messages);
    },
    registryOf,
  };
}

function hasAll(registry: MessageRegistry, messages: readonly string[]): boolean {
  return messages.every((name) => registry.getMessage(name));
}

/** Returns the full names of the nodes' messages. Generic ports have none. */
export function messageNamesOf(nodes: readonly Pick<Node, 'inputMessage' | 'outputMessage'>[]): string[] {
  return nodes
    .flatMap(({ inputMessage, outputMessage }) => [inputMessage, outputMessage])
    .filter((name) => name !== null);
}
