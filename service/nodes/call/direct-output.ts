import type { Conversion } from '../../messages/conversion.ts';
import type { StreamOutcome } from '../container/invoke-outcome.ts';
import type { DirectExecution } from './direct-execution.ts';
import { failureKindOf } from './failure-kind.ts';
import { type FedInput, stopReading } from './feed-input.ts';
import type { HeldOutput } from './hold-output.ts';
import { callCutOff, type OpenCalls } from './open-calls.ts';
import { streamFailureText } from './stream-texts.ts';

/** An output frame as ProtoJSON, undefined if it has no JSON form, or the end of the stream. */
export type OutputFrame = { kind: 'frame'; json: string | undefined } | StreamEnd;

interface StreamEnd {
  kind: 'end';
  error?: string;
  /** For streamed input: number of accepted frames. */
  inputFrames?: number;
}

interface DirectOutputOptions {
  execution: DirectExecution;
  nodeName: string;
  /** The output of the container. */
  output: HeldOutput;
  /** Converts a serialized frame to ProtoJSON. */
  toJson: (bytes: Uint8Array) => Promise<Conversion<string>>;
  /** The input, which is sent while the output is read. `ended` also resolves when the input is cut off. */
  input: { fed: FedInput; ended: Promise<void>; rest: AsyncIterator<unknown> };
  open: OpenCalls;
  /** Fires when the caller leaves. */
  signal: AbortSignal;
  /** The stream ends when the node ends, even if input remains. */
  isLive: boolean;
  /** The end contains the number of input frames. */
  isUpload: boolean;
  /** Maximum bytes of the output as JSON. */
  maxOutputBytes: number;
}

/** Reads the output of an open stream, and records how the stream ends. */
export class DirectOutput {
  readonly #options: DirectOutputOptions;
  /** Bytes of the output so far, as JSON. */
  #bytes = 0;

  constructor(options: DirectOutputOptions) {
    this.#options = options;
  }

  /**
   * Yields the frames in order, and then the end of the stream, which is recorded first.
   *
   * @param onClose is called when the stream has ended, or the caller stops reading
   */
  async *frames(onClose: () => void): AsyncGenerator<OutputFrame, void, undefined> {
    const { output } = this.#options;
    try {
      for (;;) {
        const event = await output.next();
        if (event.kind !== 'frame') {
          yield await this.#end(event);
          return;
        }
        const frame = await this.#read(event.bytes);
        if ('problem' in frame) {
          yield await this.#breakOff(frame.problem);
          return;
        }
        yield frame;
      }
    } finally {
      onClose();
      await output.close();
    }
  }

  async #read(bytes: Uint8Array): Promise<OutputFrame | { problem: string }> {
    const { execution, toJson, maxOutputBytes } = this.#options;
    execution.journal.frame('output', bytes);
    const read = await toJson(bytes).catch(() => undefined);
    if (!read?.ok) {
      const late = 'a frame was not converted to JSON before the deadline of the call';
      return { problem: read?.error.message ?? late };
    }
    this.#bytes += Buffer.byteLength(read.value);
    if (this.#bytes > maxOutputBytes) {
      return { problem: `the output exceeds the limit of ${maxOutputBytes} bytes` };
    }
    return { kind: 'frame', json: read.value };
  }

  /** Records the end of the stream as the container has ended it. */
  async #end(outcome: StreamOutcome): Promise<OutputFrame> {
    const { execution, nodeName, input, open, signal, isLive } = this.#options;
    const cut = open.ending.aborted && outcome.kind === 'unreachable';
    const ended = cut ? callCutOff : outcome;
    // A failed node needs no further input, so the caller receives the failure at once.
    if (ended.kind === 'done' && !isLive) await input.ended;
    stopReading(input.rest);
    const { problem, frames } = input.fed;
    const message = problem ?? (ended.kind === 'done' ? undefined : streamFailureText(nodeName, ended));
    const recorded =
      problem === undefined || signal.aborted
        ? recordEnd(execution, { outcome: ended, message, signal })
        : execution.record('FAILED', { message: problem, kind: 'INPUT_INVALID' });
    await open.track(recorded);
    return this.#endOf(message, frames);
  }

  /** Records that a frame cannot be passed on. */
  async #breakOff(problem: string): Promise<OutputFrame> {
    const { execution, open, input } = this.#options;
    await open.track(execution.record('FAILED', { message: problem, kind: 'OUTPUT_INVALID' }));
    return this.#endOf(problem, input.fed.frames);
  }

  #endOf(error: string | undefined, inputFrames: number): StreamEnd {
    const { isUpload } = this.#options;
    return {
      kind: 'end',
      ...(error !== undefined && { error }),
      ...(isUpload && { inputFrames }),
    };
  }
}

/** Records the end of a stream by the outcome of its call. */
export async function recordEnd(
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
