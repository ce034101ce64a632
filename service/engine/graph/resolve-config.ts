import type { Database } from '../../store/database.ts';
import { findConfigProfile } from '../../store/hot/find-config-profile.ts';
import type { CompiledGraph, CompiledNode, ConfigProfile } from './compiled-graph.ts';

/** What runs that name no profile get, of the tenant or of the flow. */
export const defaultConfigId = 'default';

/**
 * The config profile of a run. A named one is looked for in the flow, then among the tenant's; with none named it is the tenant
 * default, else the flow default, else empty (DESIGN.md 7).
 *
 * @returns `undefined`: there is no profile of that name
 */
export async function resolveConfig(
  db: Database,
  tenantId: string,
  { configProfiles }: Pick<CompiledGraph, 'configProfiles'>,
  configId: string | undefined,
): Promise<ConfigProfile | undefined> {
  const own = (id: string): ConfigProfile | undefined =>
    Object.hasOwn(configProfiles, id) ? configProfiles[id] : undefined;
  if (configId !== undefined && configId !== '') {
    return own(configId) ?? (await findConfigProfile(db, tenantId, configId));
  }
  return (await findConfigProfile(db, tenantId, defaultConfigId)) ?? own(defaultConfigId) ?? {};
}

/**
 * What a node is given as `config_json`: the settings of its placement, overridden key by key by the run's profile, which is
 * chosen later and by whoever runs the flow.
 */
export function nodeConfigJson({ config }: Pick<CompiledNode, 'config'>, profile: ConfigProfile): string {
  return JSON.stringify({ ...config, ...profile });
}
