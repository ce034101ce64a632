import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createWebSocketStream, WebSocket } from 'ws';
import { ApiFailure, type ApiTarget, parseBody, UnreachableError } from './api-client.ts';
import { explain } from './ask-api.ts';
import type { ExecutionEvent } from './event-line.ts';
import { unknownExecution } from './event-pages.ts';
import { CliError } from './output.ts';

/** An open debug stream. */
interface DebugStream {
  /**
   * The events without `SESSION_READY`, up to the execution's last one. Reads from the socket as fast as events are consumed.
   *
   * @throws UnreachableError if the connection is lost, CliError if the service ends it for good
   */
  events: AsyncIterable<ExecutionEvent>;
  close(): void;
}

const path = '/invocations/v1/debug-stream';

/** A failed socket has no further events; `closed` reports its failure. */
const ended = { done: true, value: undefined } as const;

/**
 * Opens the debug stream of an execution, and waits for `SESSION_READY`.
 *
 * @throws UnreachableError if there is no connection, CliError if the service refuses the stream
 */
export async function openDebugStream(target: ApiTarget, executionId: string): Promise<DebugStream> {
  const query = new URLSearchParams({ session_id: executionId }).toString();
  const socket = new WebSocket(`${target.url.replace(/^http/, 'ws')}${path}?${query}`, {
    headers: { Authorization: `Bearer ${target.key}` },
  });
  const closed = new Promise<void>((resolve, reject) => {
    socket.once('close', (code: number, reason: Buffer) => {
      const failure = failureOf(target, code, reason.toString());
      if (failure) reject(failure);
      else resolve();
    });
    socket.once('error', (error) => {
      reject(new UnreachableError(target.url, error));
    });
  });
  closed.catch(() => undefined);
  const messages = createWebSocketStream(socket, { readableObjectMode: true });
  // `closed` reports the failure.
  messages.on('error', () => undefined);

  const iterator = (messages as AsyncIterable<string>)[Symbol.asyncIterator]();
  async function* events(): AsyncGenerator<ExecutionEvent, void, undefined> {
    for (;;) {
      const next = await iterator.next().catch(() => ended);
      if (next.done) return closed;
      yield JSON.parse(next.value) as ExecutionEvent;
    }
  }
  const all = events();
  await Promise.race([all.next(), refusal(target, executionId, socket)]);
  return {
    events: all,
    close: () => {
      socket.terminate();
    },
  };
}

/** Rejects if the service refuses the WebSocket. Stays pending if it does not. */
async function refusal(target: ApiTarget, executionId: string, socket: WebSocket): Promise<never> {
  const response = await new Promise<IncomingMessage>((resolve) => {
    socket.once('unexpected-response', (_, answer) => {
      resolve(answer);
    });
  });
  const body = await text(response);
  const failure = new ApiFailure(`GET ${path}`, response.statusCode ?? 0, parseBody(body));
  throw explain(target, { method: 'GET', path, ...unknownExecution(executionId) }, failure);
}

/** Returns the error that a close code stands for, or `undefined` for the end of the execution. */
function failureOf({ url }: ApiTarget, code: number, reason: string): CliError | undefined {
  if (code === 1000) return undefined;
  const closed = `closed with ${code}${reason === '' ? '' : `, ${reason}`}`;
  // A retry does not help against a policy violation, such as a revoked key.
  if (code === 1008) return new CliError(`${url} ended the stream: ${reason}`);
  return new UnreachableError(url, closed);
}
