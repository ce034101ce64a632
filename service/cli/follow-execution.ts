import { setTimeout as pause } from 'node:timers/promises';
import { ApiFailure, type ApiTarget, UnreachableError } from './api-client.ts';
import { openDebugStream } from './debug-stream.ts';
import type { ExecutionEvent } from './event-line.ts';
import { eventPages } from './event-pages.ts';

/** Maximum number of consecutive reconnections without an event in between. */
const maxAttempts = 6;

/** Delay before the first reconnection, in milliseconds. Each further delay is twice as long. */
const firstDelayMs = 500;

/**
 * Follows an execution from its first event to its last. Yields each event once, even across lost connections: first the history
 * pages, then the debug stream, and after its `SESSION_READY` the pages once more, because the stream replays only the latest
 * events.
 *
 * @param reconnecting called with the failure before a lost connection is opened again
 * @throws CliError if the execution is unknown, or the connection cannot be opened again
 */
export async function* followExecution(
  target: ApiTarget,
  executionId: string,
  reconnecting: (failure: Error) => void,
): AsyncGenerator<ExecutionEvent, void, undefined> {
  const seen = new Set<string>();
  const state = { cursor: undefined as string | undefined, attempts: 0, connected: false };

  function* unseen(events: readonly ExecutionEvent[]): Generator<ExecutionEvent, void, undefined> {
    for (const event of events) {
      if (seen.has(event.event_ulid)) continue;
      seen.add(event.event_ulid);
      state.attempts = 0;
      yield event;
    }
  }
  async function* stored(): AsyncGenerator<ExecutionEvent, void, undefined> {
    for await (const page of eventPages(target, executionId, state)) {
      state.cursor = page.cursor;
      yield* unseen(page.events);
    }
    state.connected = true;
  }
  async function* live(): AsyncGenerator<ExecutionEvent, void, undefined> {
    const stream = await openDebugStream(target, executionId);
    try {
      yield* stored();
      for await (const event of stream.events) yield* unseen([event]);
    } finally {
      stream.close();
    }
  }

  for (;;) {
    try {
      yield* stored();
      yield* live();
      return;
    } catch (error) {
      if (!state.connected || !mayPass(error) || state.attempts === maxAttempts) throw error;
      reconnecting(error);
    }
    await pause(firstDelayMs * 2 ** state.attempts);
    state.attempts += 1;
  }
}

/** Reports whether a failure may be temporary, because the service restarts or sheds load. */
function mayPass(error: unknown): error is Error {
  return error instanceof UnreachableError || error instanceof ApiFailure;
}
