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
 * Returns the display texts of flows, `<graph_id> (<name>)`, by id.
 *
 * @param ids if none is set, no request is sent
 */
export async function flowTexts(
  target: ApiTarget,
  ids: readonly (string | undefined)[],
): Promise<ReadonlyMap<string | undefined, string>> {
  if (ids.every((id) => id === undefined)) return new Map();
  const flows = await listFlows(target);
  return new Map(flows.map(({ graph_id: id, name }) => [id, `${id} (${name})`]));
}
