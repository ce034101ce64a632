import { setTimeout as pause } from 'node:timers/promises';
import { openSocket } from '../../support/socket-client.ts';
import { anyReplica, newId, reasonOf, type SoakContext } from '../load/soak-context.ts';
import { readEvents } from '../load/read-events.ts';
import { startRun } from '../load/start-run.ts';

const followMs = 150_000;

/** Follows a run to its end as documented: pages first, then the socket, and both again after a lost connection. */
export async function followedRun(context: SoakContext): Promise<void> {
  const { choose, history } = context;
  const isAsking = choose.chance(0.3);
  const started = await startRun(context, {
    flow: isAsking ? 'asking' : 'chain',
    input: { id: newId(), delayMs: choose.below(2_000), pauseSeconds: 3 },
    mayEnd: [isAsking ? 'CANCELLED' : 'COMPLETED'],
  });
  if (!started) return;
  const { executionId } = started;
  const known = new Set<string>();
  const ulids: string[] = [];
  const sockets: string[][] = [];
  const add = (ulid: string): void => {
    if (known.has(ulid)) return;
    known.add(ulid);
    ulids.push(ulid);
  };
  let isWhole = false;
  const deadline = Date.now() + followMs;
  while (!isWhole && Date.now() < deadline) {
    for (const { event_ulid } of (await readEvents(context, executionId)) ?? []) add(event_ulid);
    const socket = await followOnce(context, executionId);
    sockets.push(socket.ulids);
    for (const ulid of socket.ulids) add(ulid);
    isWhole = socket.isWhole;
    if (!isWhole) await pause(500);
  }
  history.followed.push({ executionId, ulids, isWhole, sockets });
}

async function followOnce(
  context: SoakContext,
  executionId: string,
): Promise<{ ulids: string[]; isWhole: boolean }> {
  const { choose, history, operation, tenant } = context;
  const replica = anyReplica(context);
  const from = Date.now();
  const request = `GET /invocations/v1/debug-stream?session_id=${executionId}`;
  const seen = { operation, request, replica: replica.name, from, expected: [101] };
  try {
    const socket = await openSocket(replica.url + request.slice('GET '.length), {
      headers: { authorization: `Bearer ${tenant.key}` },
      handshakeTimeout: 90_000,
    });
    const stuck = setTimeout(() => socket.ws.terminate(), 60_000);
    const leaving = choose.chance(0.2)
      ? setTimeout(() => socket.ws.terminate(), choose.below(1_000))
      : undefined;
    const { code } = await socket.closed;
    clearTimeout(stuck);
    clearTimeout(leaving);
    history.answers.push({ ...seen, to: Date.now(), status: 101 });
    const events = socket.received.map((text) => JSON.parse(text) as { event_ulid?: string });
    const ulids = events.flatMap(({ event_ulid }) => (event_ulid === undefined ? [] : [event_ulid]));
    return { ulids, isWhole: code === 1000 };
  } catch (error) {
    const text = reasonOf(error);
    const [, status] = /^Unexpected server response: (\d+)$/.exec(text) ?? [];
    const answered = status === undefined ? {} : { status: Number(status) };
    history.answers.push({ ...seen, to: Date.now(), text, ...answered });
    return { ulids: [], isWhole: false };
  }
}
