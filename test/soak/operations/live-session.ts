import type { Frame } from '../../support/event-stream.ts';
import { openSocket } from '../../support/socket-client.ts';
import { expectedBy } from '../deployment/soak-tenants.ts';
import { chargesOf, type StreamEnd } from '../history.ts';
import { anyReplica, newId, reasonOf, type SoakContext } from '../load/soak-context.ts';

const path = '/invocations/v1/nodes/acme/soak-streams/1.0.0/Pipe/live';

/** Opens a live session, and sends each message after the response to the one before it. */
export async function liveSession(context: SoakContext): Promise<void> {
  const { choose, history, operation, tenant } = context;
  const replica = anyReplica(context);
  const wanted = Array.from({ length: 1 + choose.below(15) }, () => newId());
  const from = Date.now();
  const charges = chargesOf(history, tenant.tenant);
  const seen = { operation, request: `GET ${path}`, replica: replica.name, from };
  const expected = expectedBy(tenant, [101]);
  let executionId = '';
  const frames: string[] = [];
  const finish = (end: StreamEnd, error: string): void => {
    const to = Date.now();
    history.streams.push({
      operation,
      executionId,
      replica: replica.name,
      from,
      to,
      wanted,
      frames,
      end,
      error,
    });
  };
  let socket;
  try {
    socket = await openSocket(replica.url + path, {
      protocols: [`svc-token.${tenant.key}`],
      handshakeTimeout: 90_000,
    });
  } catch (error) {
    const text = reasonOf(error);
    const [, status] = /^Unexpected server response: (\d+)$/.exec(text) ?? [];
    const answered = status === undefined ? {} : { status: Number(status) };
    history.answers.push({ ...seen, to: Date.now(), expected, text, ...answered });
    if (status !== '429') charges.possible += 1;
    return;
  }
  history.answers.push({ ...seen, to: Date.now(), expected, status: 101 });
  const stuck = setTimeout(() => socket.ws.terminate(), 60_000);
  try {
    const [ready = '{}'] = await socket.receives(1);
    executionId = (JSON.parse(ready) as { execution_id: string }).execution_id;
    charges.sure += 1;
    for (const [n, id] of wanted.entries()) {
      socket.ws.send(JSON.stringify({ id, delayMs: choose.below(40) }));
      const frame = JSON.parse((await socket.receives(n + 2))[n + 1] ?? '{}') as Frame;
      if (frame.is_final) {
        finish('error', frame.error ?? '');
        return;
      }
      frames.push((frame.payload as { id: string }).id);
    }
    finish('success', '');
  } catch (error) {
    if (executionId === '') charges.possible += 1;
    finish('cut', reasonOf(error));
  } finally {
    clearTimeout(stuck);
    if (choose.chance(0.5)) socket.ws.terminate();
    else socket.ws.close();
  }
}
