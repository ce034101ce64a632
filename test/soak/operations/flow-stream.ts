import { chargesOf } from '../history.ts';
import { followStream, idsOf } from '../load/follow-stream.ts';
import { anyReplica, newId, type SoakContext } from '../load/soak-context.ts';
import { acceptRun } from '../load/start-run.ts';

/** Runs a pipeline flow and reads its frames. Some clients disconnect early. */
export async function flowStream(context: SoakContext): Promise<void> {
  const { choose, history, operation, tenant } = context;
  const id = newId();
  const copies = 1 + choose.below(20);
  const replica = anyReplica(context);
  const read = await followStream(context, replica, '/invocations/v1/flows/invoke/stream', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      graph_id: tenant.graphs.pipeline,
      input: { id, copies, delayMs: choose.below(60) },
      timeout_seconds: 60,
    }),
    expected: [200],
    ...(choose.chance(0.15) && { leaveAfterMs: 20 + choose.below(600) }),
  });
  const { executionId, from, to, frames, end } = read;
  if (read.status !== 200) {
    if (read.status !== 429) chargesOf(history, tenant.tenant).possible += 1;
    return;
  }
  acceptRun(context, executionId, end === 'success' ? ['COMPLETED'] : ['COMPLETED', 'CANCELLED'], {
    from,
    to,
  });
  history.streams.push({
    operation,
    executionId,
    replica: replica.name,
    from,
    to,
    wanted: Array.from({ length: copies }, (_, n) => `${id}/${n}`),
    frames: idsOf(frames),
    end,
    error: read.text,
  });
}
