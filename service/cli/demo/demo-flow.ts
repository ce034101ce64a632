import { type ApiTarget, callApi } from '../api-client.ts';
import { readFlowDocument } from '../flow-document.ts';

/** Compiles a flow document. */
export async function compileFlow(target: ApiTarget, file: string): Promise<{ graphId: string }> {
  const { body } = await callApi(target, 'POST', '/api/v1/graphs/compile', await readFlowDocument(file));
  return { graphId: (body as { graph_id: string }).graph_id };
}

/** Returns the number of events of the tenant's latest flow run. */
export async function countEvents(target: ApiTarget): Promise<number> {
  const list = await callApi(target, 'GET', '/invocations/v1/executions');
  const { executions } = list.body as {
    executions: { execution_id: string; graph_id?: string; lineage_root_execution_id: string | null }[];
  };
  const run = executions.find((one) => one.graph_id !== undefined && one.lineage_root_execution_id === null);
  if (!run) return 0;
  const history = await callApi(
    target,
    'GET',
    `/invocations/v1/executions/${run.execution_id}/events?limit=1000`,
  );
  return (history.body as { events: unknown[] }).events.length;
}
