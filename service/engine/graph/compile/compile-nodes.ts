import { limits } from '../../../../specs/limits.ts';
import { findInstanceTarget } from '../../../nodes/instance-target.ts';
import type { Tx } from '../../../store/database.ts';
import { loopTurns } from '../../../work/turn-budget.ts';
import { checkMock } from './check-mock.ts';
import type { CompiledNode } from '../compiled-graph.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { Placement } from './resolve-placements.ts';
import type { TypeRegistries } from '../../../nodes/type-registries.ts';

/** Compiles the placements that have message types. Adds the diagnostics of their mocks to `problems`. */
export async function compileNodes(
  tx: Tx,
  types: TypeRegistries,
  placements: readonly Placement[],
  problems: Diagnostic[],
): Promise<CompiledNode[]> {
  const nodes: CompiledNode[] = [];
  for (const { placed, packageName, version, node } of placements) {
    // SQLite queries are synchronous, so without this the loop would block the event loop.
    await loopTurns.yieldIfSpent();
    const { inputMessage, outputMessage, mode } = node;
    if (inputMessage === null || outputMessage === null) continue;
    const registry = await types.registry(tx, version.tenantId, version.id, [inputMessage, outputMessage]);
    const instance = `${packageName}@${version.version}`;
    // A version without an endpoint holds Instances, which generic nodes serve.
    const generic = version.endpoint === null ? await findInstanceTarget(tx, node, instance) : undefined;
    const checked = checkMock({ placed, mode, registry, outputMessage });
    if ('problems' in checked) problems.push(...checked.problems);
    nodes.push({
      id: placed.id,
      packageName,
      version: version.version,
      nodeName: node.name,
      nodeUlid: node.id,
      ownerTenantId: version.tenantId,
      versionId: version.id,
      inputMessage,
      outputMessage,
      mode,
      config: placed.config,
      timeoutMs: (placed.timeout_seconds ?? limits.flowNodeSeconds) * 1000,
      ...('mock' in checked && checked.mock && { mock: checked.mock }),
      ...(placed.retry && {
        retry: {
          maxAttempts: placed.retry.max_attempts,
          initialMs: placed.retry.initial_ms,
          factor: placed.retry.factor,
          maxMs: placed.retry.max_ms ?? Math.max(limits.retryDelayMs, placed.retry.initial_ms),
        },
      }),
      ...(placed.join && { join: { policy: placed.join.policy, onError: placed.join.on_error } }),
      requiredSecrets: node.requiredSecrets,
      ...(generic && { generic: { tenantId: generic.tenantId, versionId: generic.versionId, instance } }),
    });
  }
  return nodes;
}
