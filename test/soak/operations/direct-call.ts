import { chargesOf } from '../history.ts';
import { ask, newId, type SoakContext } from '../load/soak-context.ts';

/** Calls a node directly. Such a call is not retried. */
export async function directCall(context: SoakContext): Promise<void> {
  const { choose, history, tenant } = context;
  const input = { id: newId(), delayMs: choose.below(300) };
  const answer = await ask(context, {
    method: 'POST',
    path: '/invocations/v1/nodes/acme/soak-steps/1.0.0/Work',
    body: input,
    expected: [200],
  });
  const charges = chargesOf(history, tenant.tenant);
  if (answer?.status !== 200) {
    if (answer?.status !== 429) charges.possible += 1;
    return;
  }
  charges.sure += 1;
  const executionId = answer.headers.get('x-execution-id') ?? '';
  history.calls.set(executionId, tenant.tenant);
  history.outputs.push({ executionId, wanted: input.id, got: (answer.body as { id: string }).id });
}
