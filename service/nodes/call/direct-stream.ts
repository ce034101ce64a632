import type { InvocationQuota } from '../../access/daily-quota.ts';
import { ApiError } from '../../errors/api-error.ts';
import { executionHeader, inputLate } from '../../errors/node-errors.ts';
import { refusalText } from '../../errors/refusal-text.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import { rootSpan } from '../../telemetry/trace-context.ts';
import type { StreamOutcome } from '../container/invoke-outcome.ts';
import {
  beginDirectCall,
  type DirectCaller,
  type DirectExecution,
  type ExecutionParts,
} from './direct-execution.ts';
import { feedInput, stopReading } from './feed-input.ts';
import { holdOutput } from './hold-output.ts';
import { failureKindOf } from './failure-kind.ts';
import { inputRefusal } from './input-refusal.ts';
import { type SentMessage, serializeMessage } from './message-form.ts';
import type { NodeCalls } from './node-calls.ts';
import { callCutOff, type OpenCalls } from './open-calls.ts';
import { streamFailureText } from './stream.ts';
import { unreachableRefusal } from './unreachable-refusal.ts';

/** An open stream of a pipeline node, for a caller outside any flow. */
export interface DirectStream {
  executionId: string;
  /** Number of input frames accepted so far. */
  inputFrames: () => number;
  /**
   * Output frames in order, ending with the end of the stream. Pulls from the container only as the caller pulls. The execution
   * is recorded before the end is yielded, and also if the caller leaves or stops early.
   */
  frames: AsyncGenerator<OutputFrame, void, undefined>;
}

/** An output frame as ProtoJSON, undefined if it has no JSON form, or the end of the stream. */
export type OutputFrame = { kind: 'frame'; json: string | undefined } | StreamEnd;

interface StreamEnd {
  kind: 'end';
  error?: string;
  /** For streamed input: number of accepted frames. */
  inputFrames?: number;
}

interface StreamParts extends ExecutionParts {
  calls: NodeCalls;
  messages: Pick<MessageWorkers, 'convert'>;
  admit: InvocationQuota;
  open: OpenCalls;
  streamMs: number;
}

export interface StreamRequest extends DirectCaller {
  /** Input frames, read as fast as the node accepts them. */
  input: AsyncIterable<SentMessage<'json'>>;
  /**
   * The caller uploads the input, and the end contains the number of input frames. `half`: the output is held back until the
   * upload has ended. `full`: the output is read at the same time.
   */
  upload?: 'half' | 'full' | undefined;
  /**
   * Calls the container before the first input frame arrives, and treats that frame like any other. The stream ends when the node
   * does: the input itself has no end.
   */
  isLive?: boolean | undefined;
  /** Maximum bytes of the output as JSON. Beyond it, the stream ends with an error. */
  maxOutputBytes?: number | undefined;
}

const noFrame = { done: true, value: undefined } as const;

const notHeld = 'the output could not be held back: the log of the service contains the cause';

/**
 * Opens a stream, after all checks that precede the call of the container. Resolves once the output may be read.
 *
 * @throws ApiError including for a first frame that does not fit
 */
export async function openDirectStream(
  parts: StreamParts,
  { input, upload, isLive = false, maxOutputBytes = Infinity, ...caller }: StreamRequest,
): Promise<DirectStream> {
  const { calls, messages, admit, open, clock, streamMs } = parts;
  const { tenant, found, signal } = caller;
  const execution = await beginDirectCall(parts, caller);
  const { executionId, startedAt, journal, record, secrets } = execution;
  const deadlineMs = startedAt + streamMs;
  const converting = { registry: found.registry, tenantId: tenant.id, signal, deadlineMs };
  const task = { ...converting, typeName: execution.inputMessage };
  const serialize = (frame: SentMessage<'json'>) => serializeMessage(messages, task, frame);
  const rest = input[Symbol.asyncIterator]();
  const refuseInput = async (refusal: ApiError): Promise<never> => {
    const message = refusalText(refusal);
    if (signal.aborted) await record('CANCELLED', { message, kind: 'CANCELLED' });
    else await record('FAILED', { message, kind: 'INPUT_INVALID' });
    const { status, code, body, headers } = refusal;
    throw new ApiError(status, code, body, { ...headers, ...executionHeader(executionId) });
  };
  // The readers of a split stream were given the id before the upload.
  const isIdKnown = caller.executionId !== undefined;
  const sent = isLive
    ? noFrame
    : await firstFrame(rest, deadlineMs - clock.now()).catch((error: unknown) => {
        if (isIdKnown && error instanceof ApiError) return refuseInput(error);
        throw error;
      });
  const first = sent.done ? undefined : await serialize(sent.value);
  if (first?.ok === false) {
    const refusal = inputRefusal(first.error, executionId, upload ? 'lines' : 'pipeline');
    if (isIdKnown || first.error.code === 'undeclared_ordinal') return refuseInput(refusal);
    throw refusal;
  }
  await admit(tenant);
  const opened = await calls.stream({
    node: found.callable,
    target: found.target,
    origin: { tenantId: tenant.id, executionId, step: 0, attempt: 1, span: rootSpan(executionId) },
    secrets,
    deadlineMs,
    signal: AbortSignal.any([signal, open.ending]),
    listener: journal.listener,
  });
  if ('kind' in opened) {
    await recordEnd(execution, { outcome: opened, message: opened.message, signal });
    throw unreachableRefusal(opened.message, executionId, caller);
  }
  const stream = opened;
  // A caller that leaves may never pull a frame, but the execution is still recorded.
  const leave = (): void => {
    void open.track(record('CANCELLED', { message: 'the caller has left', kind: 'CANCELLED' }));
  };
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  const fed = feedInput(
    { stream, serialize, onFrame: (bytes) => journal.frame('input', bytes), signal },
    first?.value,
    rest,
  );
  const inputEnded = endedOrCut(fed.ended, { timeoutMs: deadlineMs - clock.now(), signal: open.ending });
  // The record of an interrupted upload contains the first frame.
  if (upload === 'full') journal.flush();
  const output =
    upload === 'half'
      ? await holdOutput(stream, { uploaded: inputEnded, signal }).catch(async (error: unknown) => {
          stopReading(rest);
          await open.track(record('FAILED', { message: notHeld }));
          throw error;
        })
      : { next: () => stream.next(), close: () => Promise.resolve() };

  const finish = async (outcome: StreamOutcome): Promise<OutputFrame> => {
    const cut = open.ending.aborted && outcome.kind === 'unreachable';
    const ended = cut ? callCutOff : outcome;
    // A failed node needs no further input, and the caller receives the failure.
    if (ended.kind === 'done' && !isLive) await inputEnded;
    stopReading(rest);
    const { frames: inputFrames, problem } = fed;
    const message =
      problem ?? (ended.kind === 'done' ? undefined : streamFailureText(found.node.name, ended));
    const recorded =
      problem === undefined || signal.aborted
        ? recordEnd(execution, { outcome: ended, message, signal })
        : record('FAILED', { message: problem, kind: 'INPUT_INVALID' });
    await open.track(recorded);
    return {
      kind: 'end',
      ...(message !== undefined && { error: message }),
      ...(upload && { inputFrames }),
    };
  };
  const answered = { ...converting, typeName: execution.outputMessage, accepted: true };
  let outputBytes = 0;
  const readFrame = async (bytes: Uint8Array): Promise<OutputFrame | { problem: string }> => {
    journal.frame('output', bytes);
    const read = await messages
      .convert('bytes-to-json', { ...answered, input: bytes })
      .catch(() => undefined);
    if (read?.ok) {
      const text = read.value;
      outputBytes += Buffer.byteLength(text);
      if (outputBytes > maxOutputBytes) {
        return { problem: `the output exceeds the limit of ${maxOutputBytes} bytes` };
      }
      return { kind: 'frame', json: text };
    }
    return {
      problem: read?.error.message ?? 'a frame was not converted to JSON before the deadline of the call',
    };
  };
  async function* frames(): AsyncGenerator<OutputFrame, void, undefined> {
    try {
      for (;;) {
        const event = await output.next();
        if (event.kind !== 'frame') {
          yield await finish(event);
          return;
        }
        const frame = await readFrame(event.bytes);
        if ('problem' in frame) {
          await open.track(record('FAILED', { message: frame.problem, kind: 'OUTPUT_INVALID' }));
          yield { kind: 'end', error: frame.problem, ...(upload && { inputFrames: fed.frames }) };
          return;
        }
        yield frame;
      }
    } finally {
      signal.removeEventListener('abort', leave);
      stream.cancel();
      await output.close();
      // Without effect if the stream has ended.
      leave();
    }
  }
  return { executionId, inputFrames: () => fed.frames, frames: frames() };
}

/** Waits for the first frame of an upload, which may pause. */
async function firstFrame<T>(input: AsyncIterator<T>, timeoutMs: number): Promise<IteratorResult<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(inputLate(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([input.next(), late]);
  } catch (error) {
    stopReading(input);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the input has ended, or at the latest when the stream times out or the process exits: an upload may pause. */
async function endedOrCut(
  ended: Promise<void>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  const cut = Promise.withResolvers<undefined>();
  const onCut = (): void => cut.resolve(undefined);
  const timer = setTimeout(onCut, timeoutMs).unref();
  signal.addEventListener('abort', onCut, { once: true });
  if (signal.aborted) onCut();
  await Promise.race([ended, cut.promise]);
  clearTimeout(timer);
  signal.removeEventListener('abort', onCut);
}

async function recordEnd(
  { record }: DirectExecution,
  {
    outcome,
    message = '',
    signal,
  }: { outcome: StreamOutcome; message: string | undefined; signal: AbortSignal },
): Promise<void> {
  if (outcome.kind === 'done') await record('COMPLETED');
  else if (signal.aborted) await record('CANCELLED', { message, kind: 'CANCELLED' });
  else await record('FAILED', { message, kind: failureKindOf(outcome) });
}
