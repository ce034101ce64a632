import { limits } from '../../../specs/limits.ts';
import type { NodeStream, StreamEvent } from '../container/call-stream.ts';
import { callFailed } from '../container/invoke-outcome.ts';
import { FrameSpool } from './frame-spool.ts';

/** The output of a stream. */
interface HeldOutput {
  /** As `NodeStream.next`. */
  next(): Promise<StreamEvent>;
  /** Gives back what is held. */
  close(): Promise<void>;
}

/**
 * Reads the output of a stream while its input is uploaded, so that the node is not held up by a caller that sends before it reads.
 * Resolves when the upload or the stream has ended.
 */
export async function holdOutput(
  stream: Pick<NodeStream, 'next' | 'cancel'>,
  uploaded: Promise<unknown>,
): Promise<HeldOutput> {
  const spool = new FrameSpool();
  let isUploaded = false;
  let wake: () => void = () => undefined;
  const end = (): void => {
    isUploaded = true;
    wake();
  };
  uploaded.then(end, end);
  let pending: Promise<StreamEvent> = stream.next();
  for (;;) {
    const event = await new Promise<StreamEvent | undefined>((resolve, reject) => {
      wake = () => resolve(undefined);
      if (isUploaded) wake();
      pending.then(resolve, reject);
    });
    if (event?.kind !== 'frame') {
      // A node may end before its input does, which is then still counted.
      if (event?.kind === 'done') await uploaded;
      break;
    }
    if (spool.bytes + event.bytes.length > limits.heldOutputBytes) {
      stream.cancel();
      pending = Promise.resolve(
        callFailed(
          'protocol',
          `the output exceeds the limit of ${limits.heldOutputBytes} bytes during the upload`,
        ),
      );
      break;
    }
    await spool.append(event.bytes);
    pending = stream.next();
  }
  const held = spool.read();
  let isHeld = true;
  let isPending = true;
  return {
    next: async () => {
      if (isHeld) {
        const frame = await held.next();
        if (!frame.done) return { kind: 'frame', bytes: frame.value };
        isHeld = false;
      }
      if (!isPending) return stream.next();
      isPending = false;
      return pending;
    },
    close: () => spool.close(),
  };
}
