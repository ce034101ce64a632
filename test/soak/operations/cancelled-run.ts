import { setTimeout as pause } from 'node:timers/promises';
import { askUntilAnswered, newId, type SoakContext } from '../load/soak-context.ts';
import { startRun } from '../load/start-run.ts';

/** Cancels a run while it executes, waits for a decision, or has just ended. */
export async function cancelledRun(context: SoakContext): Promise<void> {
  const { choose, history } = context;
  const isAsking = choose.chance(0.4);
  const started = await startRun(context, {
    flow: isAsking ? 'asking' : 'chain',
    input: isAsking
      ? { id: newId(), pauseSeconds: 120 }
      : { id: newId(), delayMs: choose.chance(0.3) ? 0 : choose.below(3_000) },
    mayEnd: ['COMPLETED', 'CANCELLED'],
  });
  if (!started) return;
  await pause(choose.below(choose.chance(0.3) ? 50 : 2_000));
  // The service refuses to cancel a run during a takeover; the client then retries.
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { answer } = await askUntilAnswered(context, {
      method: 'POST',
      path: `/invocations/v1/executions/${started.executionId}/cancel`,
      body: {},
      expected: [200, 409],
    });
    if (answer?.status === 200) history.cancelled.add(started.executionId);
    if (answer?.status !== 409 || !JSON.stringify(answer.body).includes('changing hands')) return;
    await pause(500);
  }
}
