import { askUntilAnswered, newId, type SoakContext } from '../load/soak-context.ts';
import { acceptRun } from '../load/start-run.ts';
import { chargesOf } from '../history.ts';

/** Creates an app key, starts a run with it, and revokes it: no replica accepts it afterwards. */
export async function appKeys(context: SoakContext): Promise<void> {
  const { history, replicas, tenant } = context;
  const graph = tenant.graphs.chain;
  const made = await askUntilAnswered(context, {
    method: 'POST',
    path: '/api/v1/api-keys',
    body: { name: 'soak', graph_ids: [graph] },
    expected: [201],
  });
  if (made.answer?.status !== 201) return;
  const { id, key } = made.answer.body as { id: string; key: string };
  const invoke = {
    method: 'POST' as const,
    path: '/invocations/v1/flows/invoke',
    body: { graph_id: graph, input: { id: newId() }, wait: false },
    headers: { 'idempotency-key': newId() },
    key,
  };
  const { answer, isDoubtful } = await askUntilAnswered(context, { ...invoke, expected: [202] });
  if (answer?.status === 202)
    acceptRun(context, (answer.body as { execution_id: string }).execution_id, ['COMPLETED']);
  else if (isDoubtful) chargesOf(history, tenant.tenant).possible += 1;
  const revoked = await askUntilAnswered(context, {
    method: 'DELETE',
    path: `/api/v1/api-keys/${id}`,
    // 404 if an earlier attempt has revoked the key.
    expected: [204, 404],
  });
  if (!revoked.answer) return;
  for (const replica of replicas) await askUntilAnswered(context, { ...invoke, replica, expected: [401] });
}
