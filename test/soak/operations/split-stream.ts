import { setTimeout as pause } from 'node:timers/promises';
import { splitAt } from '../../support/split-stream.ts';
import { openUpload } from '../../support/upload.ts';
import type { SoakReplica } from '../deployment/soak-replica.ts';
import { expectedBy } from '../deployment/soak-tenants.ts';
import { chargesOf } from '../history.ts';
import { followStream, type ReadStream } from '../load/follow-stream.ts';
import { anyReplica, askUntilAnswered, newId, reasonOf, type SoakContext } from '../load/soak-context.ts';
import { sendLines } from './ndjson-stream.ts';

/** Time for which readers reconnect until they have the last frame. */
const readMs = 120_000;

/** Uploads to a split stream, with readers that disconnect and reconnect, to any replica. */
export async function splitStream(context: SoakContext): Promise<void> {
  const { choose } = context;
  const { answer } = await askUntilAnswered(context, {
    method: 'POST',
    path: '/invocations/v1/nodes/streams',
    body: { node_ref: 'acme/soak-streams/1.0.0/Pipe' },
    expected: [201],
  });
  if (answer?.status !== 201) return;
  const streamId = (answer.body as { stream_id: string }).stream_id;
  const upload = { isLost: false };
  const early = Array.from({ length: choose.below(3) }, () => readWhole(context, streamId, upload));
  upload.isLost = !(await uploadOnce(context, streamId));
  await pause(choose.below(1_000));
  await Promise.all([...early, readWhole(context, streamId, upload)]);
}

/** Uploads the input once. Reports whether the stream will soon have a last frame. */
async function uploadOnce(context: SoakContext, streamId: string): Promise<boolean> {
  const { choose, history, operation, tenant } = context;
  const sent = Array.from({ length: 1 + choose.below(20) }, () => newId());
  const replica = anyReplica(context);
  const input = openUpload();
  void sendLines(input, sent, choose.below(80));
  const seen = {
    operation,
    request: `POST ${streamId}/input`,
    replica: replica.name,
    expected: expectedBy(tenant, [200]),
  };
  const from = Date.now();
  const charges = chargesOf(history, tenant.tenant);
  try {
    const signal = AbortSignal.timeout(120_000);
    const { status, body } = await splitAt(replica.url, tenant, streamId).upload(input, signal);
    const to = Date.now();
    history.answers.push({
      ...seen,
      from,
      to,
      status,
      ...(status !== 200 && { text: JSON.stringify(body) }),
    });
    if (status === 429) return false;
    if (status !== 200) {
      charges.possible += 1;
      // Readers may wait for ten minutes before they learn that no output will come.
      return false;
    }
    charges.sure += 1;
    const { execution_id: executionId, input_frames: acknowledged } = body;
    history.uploads.push({ streamId, executionId, from, to, sent, acknowledged });
    return true;
  } catch (error) {
    charges.possible += 1;
    history.answers.push({ ...seen, from, to: Date.now(), text: reasonOf(error) });
    return false;
  }
}

/**
 * Reads a stream to its last frame, over as many connections as necessary. A stream without its upload may never end,
 * so it is read over a single connection.
 */
async function readWhole(
  context: SoakContext,
  streamId: string,
  upload: Readonly<{ isLost: boolean }>,
): Promise<void> {
  const { choose } = context;
  const deadline = Date.now() + readMs;
  let next = 0;
  for (let isFirst = true; isFirst || (!upload.isLost && Date.now() < deadline); isFirst = false) {
    // Sometimes reads from the beginning again.
    if (choose.chance(0.2)) next = 0;
    const replica = anyReplica(context);
    const read = await readOnce(context, replica, streamId, next);
    if (read.status === 204 || read.end === 'success' || read.end === 'error') return;
    if (read.status === 404) return;
    next += read.frames.length;
    await pause(choose.below(500));
  }
}

async function readOnce(
  context: SoakContext,
  replica: SoakReplica,
  streamId: string,
  offset: number,
): Promise<ReadStream> {
  const { choose, history } = context;
  const read = await followStream(context, replica, `/invocations/v1/nodes/streams/${streamId}/output`, {
    ...(offset > 0 && { headers: { 'last-event-id': String(offset - 1) } }),
    expected: [200, 204],
    // Readers also leave if they wait for an upload that never comes.
    leaveAfterMs: choose.chance(0.4) ? 50 + choose.below(1_000) : 10_000,
  });
  const frames = read.frames.map((frame) => JSON.stringify(frame));
  const { from, to, end } = read;
  if (read.status === 200)
    history.readings.push({ streamId, replica: replica.name, from, to, offset, frames, end });
  return read;
}
