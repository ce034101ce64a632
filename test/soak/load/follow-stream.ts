import { setTimeout as pause } from 'node:timers/promises';
import { type Frame, openEvents } from '../../support/event-stream.ts';
import type { SoakReplica } from '../deployment/soak-replica.ts';
import { expectedBy } from '../deployment/soak-tenants.ts';
import type { StreamEnd } from '../history.ts';
import { authorization, reasonOf, type SoakContext } from './soak-context.ts';

/** The content of an event stream as its reader received it. */
export interface ReadStream {
  from: number;
  to: number;
  /** Absent if there was no response. */
  status?: number;
  executionId: string;
  /** Text of a refusal, or the reason why the stream was cut off. */
  text: string;
  frames: readonly Frame[];
  ids: readonly string[];
  end: StreamEnd;
}

const patienceMs = 120_000;

/**
 * Opens an event stream and reads it to its end. Records a response without a stream in the history.
 *
 * @param leaveAfterMs time after which the reader leaves; absent if it stays
 */
export async function followStream(
  context: SoakContext,
  replica: SoakReplica,
  path: string,
  init: RequestInit & { expected: readonly number[]; leaveAfterMs?: number },
): Promise<ReadStream> {
  const { expected, leaveAfterMs, headers, ...rest } = init;
  const from = Date.now();
  const frames: Frame[] = [];
  const ended = new AbortController();
  const reader = { hasLeft: false };
  let opened: Awaited<ReturnType<typeof openEvents>> | undefined;
  const note = (text: string, status?: number): void => {
    context.history.answers.push({
      operation: context.operation,
      request: `${rest.method ?? 'GET'} ${path}`,
      replica: replica.name,
      from,
      to: Date.now(),
      expected: expectedBy(context.tenant, expected),
      ...(status === undefined ? { text } : { status, text }),
    });
  };
  const read = (end: StreamEnd, text = ''): ReadStream => ({
    from,
    to: Date.now(),
    ...(opened && { status: opened.status }),
    executionId: opened?.headers.get('x-execution-id') ?? '',
    text,
    frames,
    ids: opened?.ids ?? [],
    end,
  });
  try {
    const stream = await openEvents(replica.url + path, {
      ...rest,
      headers: { ...authorization(context), ...(headers as Record<string, string>) },
    });
    opened = stream;
    note(stream.text, stream.status);
    if (stream.status !== 200) return read('cut', stream.text);
    const timer = { signal: ended.signal };
    void pause(leaveAfterMs ?? patienceMs, undefined, timer).then(
      () => {
        reader.hasLeft = leaveAfterMs !== undefined;
        stream.leave();
      },
      () => undefined,
    );
    for (let frame = await stream.next(); frame; frame = await stream.next()) frames.push(frame);
    const last = frames.at(-1);
    if (last?.is_final !== true) return read('cut', 'the stream ended without a last frame');
    return last.success === true ? read('success') : read('error', last.error ?? '');
  } catch (error) {
    if (reader.hasLeft) return read('left');
    if (!opened) note(reasonOf(error));
    return read('cut', reasonOf(error));
  } finally {
    ended.abort();
  }
}

/** Returns the ids of the payloads of a stream, without its last frame. */
export function idsOf(frames: readonly Frame[]): string[] {
  return frames.filter(({ is_final }) => !is_final).map(({ payload }) => (payload as { id: string }).id);
}
