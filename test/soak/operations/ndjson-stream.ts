import { setTimeout as pause } from 'node:timers/promises';
import { openUpload, type Upload } from '../../support/upload.ts';
import { chargesOf } from '../history.ts';
import { followStream, idsOf } from '../load/follow-stream.ts';
import { anyReplica, newId, type SoakContext } from '../load/soak-context.ts';

/** Streams NDJSON to a pipeline node, line by line, and reads what it returns. */
export async function ndjsonStream(context: SoakContext): Promise<void> {
  const { choose, history, operation, tenant } = context;
  const wanted = Array.from({ length: 1 + choose.below(20) }, () => newId());
  const replica = anyReplica(context);
  const upload = openUpload();
  void sendLines(upload, wanted, choose.below(50));
  const read = await followStream(context, replica, '/invocations/v1/nodes/acme/soak-streams/1.0.0/Pipe', {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: upload.body,
    duplex: 'half',
    expected: [200],
  });
  const { executionId, from, to, frames, end, text: error } = read;
  const charges = chargesOf(history, tenant.tenant);
  if (read.status !== 200) {
    if (read.status !== 429) charges.possible += 1;
    return;
  }
  charges.sure += 1;
  if (end === 'success') history.calls.set(executionId, tenant.tenant);
  history.streams.push({
    operation,
    executionId,
    replica: replica.name,
    from,
    to,
    wanted,
    frames: idsOf(frames),
    end,
    error,
    sent: wanted.length,
    acknowledged: frames.at(-1)?.input_frames ?? -1,
  });
}

/** Sends items as lines, `delayMs` apart. Never resolves if the service stops reading. */
export async function sendLines(upload: Upload, ids: readonly string[], delayMs: number): Promise<void> {
  try {
    for (const id of ids) {
      await upload.send(`${JSON.stringify({ id })}\n`);
      await pause(delayMs);
    }
  } catch {
    return;
  }
  upload.end();
}
