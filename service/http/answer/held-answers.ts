import type { ServerResponse } from 'node:http';
import { type HeldMemory, type MemoryCaller, uncountedBytes } from '../held-memory.ts';
import type { Outgoing } from './outgoing.ts';

/** Counts the bytes of large responses until their clients have read them or have left. */
export class HeldAnswers {
  readonly #memory: HeldMemory;
  /**
   * Bodies that are being sent. Several responses may share one, such as a cached document: it is in memory
   * once and counts once.
   */
  readonly #counted = new Set<Uint8Array>();

  constructor(memory: HeldMemory) {
    this.#memory = memory;
  }

  /**
   * Counts a response that is ready, and returns it with its body outside the JavaScript heap. Streams are
   * not counted: they are subject to backpressure.
   *
   * @throws ApiError 429 or 503 if too many bytes are waiting to be read
   */
  hold(outgoing: Outgoing, response: ServerResponse, caller: MemoryCaller): Outgoing {
    const body = largeBody(outgoing.body);
    if (!body || this.#counted.has(body)) return outgoing;
    const share = this.#memory.share(caller);
    share.growTo(body.length);
    this.#counted.add(body);
    const release = (): void => {
      this.#counted.delete(body);
      share.release();
    };
    if (response.closed) release();
    else response.once('close', release);
    return { ...outgoing, body };
  }
}

/** Returns the bytes of a body that is large enough to count. */
function largeBody(body: Outgoing['body']): Uint8Array | undefined {
  if (typeof body === 'string')
    return Buffer.byteLength(body) > uncountedBytes ? Buffer.from(body) : undefined;
  return body instanceof Uint8Array && body.length > uncountedBytes ? body : undefined;
}
