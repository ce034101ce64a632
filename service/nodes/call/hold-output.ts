import { limits } from '../../../specs/limits.ts';
import type { NodeStream, StreamEvent } from '../container/call-stream.ts';
import { callFailed } from '../container/invoke-outcome.ts';
import { FrameSpool } from './frame-spool.ts';

/** The output of a stream. */
export interface HeldOutput {
  /** Like `NodeStream.next`. */
  next(): Promise<StreamEvent>;
  /** Releases the held output. */
  close(): Promise<void>;
}

interface HoldOptions {
  /** Resolves when the upload has ended. */
  uploaded: Promise<unknown>;
  /** Fires when the caller leaves. It may never read the held output. */
  signal: AbortSignal;
}

/**
 * Reads the output of a stream while its input is uploaded, so that a caller that sends before it reads does not block the node.
 * Resolves when the upload or the stream has ended.
 *
 * @throws Error if the output cannot be held. The stream is cancelled.
 */
export async function holdOutput(
  stream: Pick<NodeStream, 'next' | 'cancel'>,
  { uploaded, signal }: HoldOptions,
): Promise<HeldOutput> {
  const spool = new FrameSpool();
  // The output is no longer needed, so a failure has no effect.
  const giveBack = (): Promise<void> => spool.close().catch(() => undefined);
  const { pending } = await fillSpool(spool, stream, uploaded).catch(async (error: unknown) => {
    stream.cancel();
    await giveBack();
    throw error;
  });
  const held = spool.read();
  let isRead = false;
  let isHeld = true;
  let isPending = true;
  // A reader that has started closes the spool itself.
  const leave = (): void => {
    if (!isRead) void giveBack();
  };
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  return {
    next: async () => {
      isRead = true;
      if (isHeld) {
        const frame = await held.next();
        if (!frame.done) return { kind: 'frame', bytes: frame.value };
        isHeld = false;
      }
      if (!isPending) return stream.next();
      isPending = false;
      return pending;
    },
    close: () => {
      signal.removeEventListener('abort', leave);
      return spool.close();
    },
  };
}

/** Fills the spool, and resolves with the event that follows its frames. That event may still be pending. */
async function fillSpool(
  spool: FrameSpool,
  stream: Pick<NodeStream, 'next' | 'cancel'>,
  uploaded: Promise<unknown>,
): Promise<{ pending: Promise<StreamEvent> }> {
  let isUploaded = false;
  let wake: () => void = () => undefined;
  const end = (): void => {
    isUploaded = true;
    wake();
  };
  uploaded.then(end, end);
  for (;;) {
    const pending = stream.next();
    const event = await new Promise<StreamEvent | undefined>((resolve, reject) => {
      wake = () => resolve(undefined);
      if (isUploaded) wake();
      pending.then(resolve, reject);
    });
    if (event?.kind !== 'frame') {
      // If the node ends before its input does, the rest of the input is still counted.
      if (event?.kind === 'done') await uploaded;
      return { pending };
    }
    if (spool.bytes + event.bytes.length > limits.heldOutputBytes) {
      stream.cancel();
      const message = `the output exceeds the limit of ${limits.heldOutputBytes} bytes during the upload`;
      return { pending: Promise.resolve(callFailed('protocol', message)) };
    }
    await spool.append(event.bytes);
  }
}
