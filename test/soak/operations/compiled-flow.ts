import { flows } from '../deployment/flows.ts';
import { anyReplica, askUntilAnswered, newId, otherReplica, type SoakContext } from '../load/soak-context.ts';
import { startRun } from '../load/start-run.ts';

/** Compiles a flow, and runs it at once on another replica. */
export async function compiledFlow(context: SoakContext): Promise<void> {
  const { history } = context;
  const replica = anyReplica(context);
  const { answer } = await askUntilAnswered(context, {
    method: 'POST',
    path: '/api/v1/graphs/compile',
    body: { ...flows.chain, name: `Chain ${newId()}` },
    // 200 if an earlier attempt has compiled the flow.
    expected: [200, 201],
    replica,
  });
  if (answer === undefined || answer.status >= 300) return;
  const { graph_id: graph } = answer.body as { graph_id: string };
  const id = newId();
  const other = otherReplica(context, replica);
  const run = await startRun(context, { flow: 'chain', graph, input: { id }, wait: true, replica: other });
  if (run?.result?.success !== true) return;
  history.outputs.push({ executionId: run.executionId, wanted: id, got: run.result.output?.id });
}
