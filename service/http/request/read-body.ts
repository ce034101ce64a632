import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Family } from '../../../specs/operations/operation.ts';
import { bodyCutOff, bodyTooLarge } from '../../errors/request-errors.ts';
import type { MemoryShare } from '../held-memory.ts';
import { askForBody } from './ask-for-body.ts';

interface BodyOptions {
  maxBytes: number;
  family: Family;
  /** Counts the memory of the body. Its owner releases it when the body is no longer needed. */
  memory: MemoryShare;
  /** Inspects all bytes so far whenever some arrive. Throws to refuse the body. */
  inspect?: (body: Buffer) => void;
}

const empty: Buffer = Buffer.alloc(0);

/**
 * Reads a request body into memory. Refuses one that is too large as early as possible: by its `Content-Length`, or at the first
 * byte over the limit. The rest of a refused body is not read.
 *
 * @throws ApiError 400 or 413, or 429 or 503 if too many large bodies arrive at the same time
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, family, memory, inspect }: BodyOptions,
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared > maxBytes) throw bodyTooLarge(family, maxBytes, declared);
  // A destroyed request emits no further events.
  if (request.destroyed) throw bodyCutOff(family);
  askForBody(request, response);
  const capacity = Number.isNaN(declared) ? maxBytes : declared;
  return new Promise<Buffer>((resolve, reject) => {
    // Grows by doubling, so that each byte is copied about twice, no matter how many chunks arrive.
    let held = empty;
    let size = 0;
    const append = (chunk: Buffer): void => {
      const needed = size + chunk.length;
      if (size === 0) {
        memory.growTo(chunk.length);
        held = chunk;
      } else {
        if (needed > held.length) {
          const newSize = Math.min(capacity, needed * 2);
          memory.growTo(newSize);
          const larger = Buffer.allocUnsafeSlow(newSize);
          held.copy(larger, 0, 0, size);
          held = larger;
        }
        chunk.copy(held, size);
      }
      size = needed;
    };
    const body = (): Buffer => (size === held.length ? held : held.subarray(0, size));
    const take = (chunk: Buffer): void => {
      try {
        if (size + chunk.length > maxBytes) throw bodyTooLarge(family, maxBytes);
        append(chunk);
        inspect?.(body());
      } catch (error) {
        request.off('data', take);
        // The listeners of the request would keep the buffer in memory until the sender has finished.
        held = empty;
        size = 0;
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const cutOff = (): void => {
      if (!request.readableEnded) reject(bodyCutOff(family));
    };
    request.on('data', take);
    request.once('end', () => resolve(body()));
    request.once('error', cutOff);
    request.once('close', cutOff);
  });
}
