import { createRegistry, type MessageRegistry } from '../../messages/registry.ts';
import type { Tx } from '../../store/database.ts';
import { findPackageVersionById } from '../../store/package-versions.ts';

/** Type registries of package versions. Each is linked once and shared by all flows that use the version. */
export interface VersionTypes {
  /**
   * @param messages full names that the registry must contain. A new Instance adds messages to its version, which is then read again
   * @throws Error when the version does not exist. The types of a deleted version remain available.
   */
  registry(
    tx: Tx,
    ownerTenantId: string,
    versionId: string,
    messages?: readonly string[],
  ): Promise<MessageRegistry>;
}

/** A registry takes milliseconds to link and megabytes to keep. The least recently used one is evicted first. */
const keptRegistries = 500;

/** Starts with an empty cache. A process has one, which flows, previews and documents share. */
export function createVersionTypes(): VersionTypes {
  const registries = new Map<string, MessageRegistry>();
  return {
    registry: async (tx, ownerTenantId, versionId, messages = []) => {
      const cached = registries.get(versionId);
      const registry =
        cached && messages.every((name) => cached.getMessage(name))
          ? cached
          : await loadRegistry(tx, ownerTenantId, versionId);
      registries.delete(versionId);
      registries.set(versionId, registry);
      for (const oldest of registries.keys()) {
        if (registries.size <= keptRegistries) break;
        registries.delete(oldest);
      }
      return registry;
    },
  };
}

async function loadRegistry(tx: Tx, tenantId: string, versionId: string): Promise<MessageRegistry> {
  const version = await findPackageVersionById(tx, tenantId, versionId);
  if (!version) throw new Error(`package version ${versionId} does not exist`);
  return createRegistry(version.descriptorSet);
}
