import { setTimeout as pause } from 'node:timers/promises';
import { anyReplica, newId, otherReplica, type SoakContext } from '../load/soak-context.ts';
import { startRun } from '../load/start-run.ts';

/** Runs two steps, and may wait for them. The idempotency key may be used at two replicas at once, and again later. */
export async function unaryRun(context: SoakContext): Promise<void> {
  const { choose, history } = context;
  const [id, key] = [newId(), newId()];
  const input = { id, delayMs: choose.below(200) };
  const first = anyReplica(context);
  const start = (replica = first) =>
    startRun(context, { flow: 'chain', input, key, replica, wait: choose.chance(0.6) });
  const started = [start(), ...(choose.chance(0.3) ? [start(otherReplica(context, first))] : [])];
  const runs = await Promise.all(started);
  if (choose.chance(0.3)) {
    await pause(choose.below(3_000));
    runs.push(await start(anyReplica(context)));
  }
  for (const run of runs) {
    if (run?.result?.success !== true) continue;
    history.outputs.push({ executionId: run.executionId, wanted: id, got: run.result.output?.id });
  }
}
