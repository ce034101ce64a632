import { createRegistry, type MessageRegistry } from '../../messages/registry.ts';
import type { Tx } from '../../store/database.ts';
import { findPackageVersionById } from '../../store/package-versions.ts';

/** Types of package versions, linked once and shared by all flows that place their nodes. */
export interface VersionTypes {
  /**
   * @param messages full names that it must hold: a version that holds Instances grows by further ones, and is read again then
   * @throws Error when the version is gone, which never happens to a published one.
   */
  registry(
    tx: Tx,
    ownerTenantId: string,
    versionId: string,
    messages?: readonly string[],
  ): Promise<MessageRegistry>;
}

/** Linking costs milliseconds and megabytes: so many stay, the least recently used leave first. */
const keptRegistries = 500;

export function createVersionTypes(kept = keptRegistries): VersionTypes {
  const registries = new Map<string, MessageRegistry>();
  return {
    registry: async (tx, ownerTenantId, versionId, messages = []) => {
      const known = registries.get(versionId);
      const registry =
        known && messages.every((name) => known.getMessage(name))
          ? known
          : await loadRegistry(tx, ownerTenantId, versionId);
      registries.delete(versionId);
      registries.set(versionId, registry);
      for (const oldest of registries.keys()) {
        if (registries.size <= kept) break;
        registries.delete(oldest);
      }
      return registry;
    },
  };
}

async function loadRegistry(tx: Tx, tenantId: string, versionId: string): Promise<MessageRegistry> {
  const version = await findPackageVersionById(tx, tenantId, versionId);
  if (!version) throw new Error(`package version ${versionId} is gone, and versions are never deleted`);
  return createRegistry(version.descriptorSet);
}
