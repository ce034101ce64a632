import type { InvocationQuota } from '../../access/daily-quota.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import { rootSpan } from '../../telemetry/trace-context.ts';
import { beginDirectCall, type DirectCaller, type ExecutionParts } from './direct-execution.ts';
import { DirectOutput, type OutputFrame, recordEnd } from './direct-output.ts';
import { feedInput, stopReading } from './feed-input.ts';
import { readFirstInput } from './first-input.ts';
import { holdOutput } from './hold-output.ts';
import { type SentMessage, serializeMessage } from './message-form.ts';
import type { NodeCalls } from './node-calls.ts';
import type { OpenCalls } from './open-calls.ts';
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

interface StreamParts extends ExecutionParts {
  calls: NodeCalls;
  messages: Pick<MessageWorkers, 'convert'>;
  admit: InvocationQuota;
  open: OpenCalls;
  streamMs: number;
}

/** A stream to open. `signal` cancels it, also while its output is read. */
export interface StreamRequest extends DirectCaller {
  /** Input frames, read as fast as the node accepts them. */
  input: AsyncIterable<SentMessage<'json'>>;
  /**
   * Set if the caller uploads the input: the end then contains the number of input frames. `half`: the output
   * is held back until the upload has ended. `full`: the output is read at the same time.
   */
  upload?: 'half' | 'full' | undefined;
  /**
   * Calls the container before the first input frame arrives, and treats that frame like any other. The
   * stream ends when the node ends, because the input itself has no end.
   */
  isLive?: boolean | undefined;
  /** Maximum bytes of the output as JSON. Beyond it, the stream ends with an error. */
  maxOutputBytes?: number | undefined;
}

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
  const first = isLive
    ? undefined
    : await readFirstInput(rest, {
        execution,
        serialize,
        timeoutMs: deadlineMs - clock.now(),
        signal,
        // The readers of a split stream received the id before the upload.
        isIdKnown: caller.executionId !== undefined,
        form: upload ? 'lines' : 'pipeline',
      });
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
  const answered = { ...converting, typeName: execution.outputMessage, accepted: true };
  // A caller that leaves may never pull a frame, but its execution must still be recorded.
  const leave = (): void => {
    void open.track(record('CANCELLED', { message: 'the caller has left', kind: 'CANCELLED' }));
  };
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  const fed = feedInput(
    { stream, serialize, onFrame: (bytes) => journal.frame('input', bytes), signal },
    first,
    rest,
  );
  const inputEnded = endedOrCut(fed.ended, { timeoutMs: deadlineMs - clock.now(), signal: open.ending });
  // Ensures that the record of an interrupted upload contains the first frame.
  if (upload === 'full') journal.flush();
  const output =
    upload === 'half'
      ? await holdOutput(stream, { uploaded: inputEnded, signal }).catch(async (error: unknown) => {
          stopReading(rest);
          await open.track(record('FAILED', { message: notHeld }));
          throw error;
        })
      : { next: () => stream.next(), close: () => Promise.resolve() };

  const frames = new DirectOutput({
    execution,
    nodeName: found.node.name,
    output,
    toJson: (bytes) => messages.convert('bytes-to-json', { ...answered, input: bytes }),
    input: { fed, ended: inputEnded, rest },
    open,
    signal,
    isLive,
    isUpload: upload !== undefined,
    maxOutputBytes,
  }).frames(() => {
    signal.removeEventListener('abort', leave);
    stream.cancel();
    // Has no effect if the stream has ended.
    leave();
  });
  return { executionId, inputFrames: () => fed.frames, frames };
}

/**
 * Resolves when the input has ended, when the stream times out, or when the process exits. An upload may
 * pause for any length of time.
 */
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
