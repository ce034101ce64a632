import { setImmediate as turn } from 'node:timers/promises';
import { limits } from '../../../specs/limits.ts';
import { ApiError } from '../../errors/api-error.ts';
import { refusalText } from '../../errors/refusal-text.ts';
import type { Conversion } from '../../messages/conversion.ts';
import type { NodeStream } from '../container/call-stream.ts';
import type { SentMessage } from './message-form.ts';

interface FeedOptions {
  stream: Pick<NodeStream, 'send' | 'endInput' | 'cancel'>;
  /** Serializes a frame. */
  serialize: (frame: SentMessage<'json'>) => Promise<Conversion<Uint8Array>>;
  /** Called with each accepted frame, before the frame is sent. */
  onFrame: (bytes: Uint8Array) => void;
  /** Fires when the caller leaves. */
  signal: AbortSignal;
}

/** The part of a stream's input that has been read. */
export interface FedInput {
  /** Accepted frames. */
  readonly frames: number;
  /** Why a frame was refused, with the number of the frame. The node's input ends before it. */
  readonly problem: string | undefined;
  /** Resolves when the input has ended. */
  readonly ended: Promise<void>;
}

/**
 * Sends input frames as they arrive, no faster than the node accepts them, and ends the input after the last
 * one. If the node ends first, the remaining frames are counted and dropped, so that the caller learns that
 * all of them have arrived.
 *
 * @param first the serialized first frame; undefined for an input without frames
 */
export function feedInput(
  { stream, serialize, onFrame, signal }: FeedOptions,
  first: Uint8Array | undefined,
  rest: AsyncIterator<SentMessage<'json'>>,
): FedInput {
  let frames = 0;
  let open = true;
  let problem: string | undefined;

  const accept = async (bytes: Uint8Array): Promise<void> => {
    onFrame(bytes);
    frames += 1;
    open = await stream.send(bytes);
  };
  const feed = async (): Promise<string | undefined> => {
    if (first) await accept(first);
    for (;;) {
      const next = await rest.next();
      if (next.done) return undefined;
      if (frames >= limits.streamInput.frames) {
        return `the stream exceeds the limit of ${limits.streamInput.frames} frames`;
      }
      if (!open) {
        frames += 1;
        continue;
      }
      const serialized = await serialize(next.value);
      if (!serialized.ok) return serialized.error.message;
      await accept(serialized.value);
    }
  };
  const ended = feed()
    .catch((error: unknown) =>
      error instanceof ApiError ? refusalText(error) : 'the input could not be read',
    )
    .then(async (refused) => {
      if (refused !== undefined) problem = `frame ${frames}: ${refused}`;
      // A broken connection fails the body before `signal` aborts. The node must not take a truncated input
      // for a complete one.
      if (refused !== undefined) await turn();
      if (signal.aborted) stream.cancel();
      else stream.endInput();
      stopReading(rest);
    });
  return {
    get frames() {
      return frames;
    },
    get problem() {
      return problem;
    },
    ended,
  };
}

/** Stops reading frames. Does not wait for the frame that is being read, which may never arrive. */
export function stopReading(input: AsyncIterator<unknown>): void {
  void input.return?.().catch(() => undefined);
}
