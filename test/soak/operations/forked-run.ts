import { setTimeout as pause } from 'node:timers/promises';
import { chargesOf } from '../history.ts';
import { decide, findPause } from '../load/decide.ts';
import { askUntilAnswered, newId, type SoakContext } from '../load/soak-context.ts';
import { acceptRun, startRun } from '../load/start-run.ts';

/** Forks a run that has ended, or one that waits for a decision; the fork then gets the decision. */
export async function forkedRun(context: SoakContext): Promise<void> {
  const { choose, history, tenant } = context;
  const isAsking = choose.chance(0.5);
  const started = await startRun(context, {
    flow: isAsking ? 'asking' : 'chain',
    input: { id: newId(), pauseSeconds: 120 },
    wait: true,
    mayEnd: isAsking ? ['FORKED', 'CANCELLED'] : ['COMPLETED'],
  });
  if (!started) return;
  if (isAsking && !(await findPause(context, started))) return;
  if (!isAsking && !started.result) {
    // The run is still open: the fork replaces it.
    started.run.mayEnd.add('FORKED');
    await pause(choose.below(1_000));
  }
  const key = newId();
  const { answer, isDoubtful } = await askUntilAnswered(context, {
    method: 'POST',
    path: `/invocations/v1/executions/${started.executionId}/fork`,
    body: { wait: true, timeout_seconds: 20, idempotency_key: key },
    expected: [202],
  });
  if (answer?.status !== 202) {
    if (isDoubtful) chargesOf(history, tenant.tenant).possible += 1;
    return;
  }
  const { execution_id: executionId } = answer.body as { execution_id: string };
  history.keys.push({ tenant: tenant.tenant.handle, key, executionId });
  const run = acceptRun(context, executionId, ['COMPLETED']);
  if (!isAsking) return;
  const found = await findPause(context, { executionId });
  const status = found && (await decide(context, found, { value: 'forked', expected: [200] }));
  if (status !== 200) run.mayEnd.add('CANCELLED');
}
