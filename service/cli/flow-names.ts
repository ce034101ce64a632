import type { z } from 'zod';
import type { graphSummary } from '../../specs/operations/graph-shapes.ts';
import type { ApiTarget } from './api-client.ts';
import { askApi } from './ask-api.ts';

/** A flow of the tenant, as lists show it. */
type FlowSummary = z.infer<typeof graphSummary>;

/** Lists the flows of the tenant, newest first. */
export function listFlows(target: ApiTarget): Promise<FlowSummary[]> {
  return askApi<FlowSummary[]>(target, { method: 'GET', path: '/api/v1/graphs' });
}

/**
 * Returns flows for people, as `<graph_id> (<name>)`, by their ids.
 *
 * @param ids if none of them is set, the service is not asked
 */
export async function flowTexts(
  target: ApiTarget,
  ids: readonly (string | undefined)[],
): Promise<ReadonlyMap<string | undefined, string>> {
  if (ids.every((id) => id === undefined)) return new Map();
  const flows = await listFlows(target);
  return new Map(flows.map(({ graph_id: id, name }) => [id, `${id} (${name})`]));
}
