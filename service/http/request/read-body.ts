import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Family } from '../../../specs/operations/operation.ts';
import { bodyCutOff, bodyTooLarge } from '../../errors/request-errors.ts';
import { askForBody } from './ask-for-body.ts';

interface BodyOptions {
  maxBytes: number;
  family: Family;
  /** Inspects all bytes so far whenever some arrive. Throws to refuse the body. */
  inspect?: (body: Buffer) => void;
}

const empty: Buffer = Buffer.alloc(0);

/**
 * Reads a request body into memory. Refuses one that is too large as early as possible: by its `Content-Length`, or at the first
 * byte over the limit. The rest of a refused body is not read.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, family, inspect }: BodyOptions,
): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared > maxBytes) throw bodyTooLarge(family, maxBytes, declared);
  // A destroyed request emits no further events.
  if (request.destroyed) throw bodyCutOff(family);
  askForBody(request, response);
  return new Promise((resolve, reject) => {
    // Grows by doubling, so that each byte is copied about twice, no matter how many chunks arrive.
    let memory = empty;
    let size = 0;
    const append = (chunk: Buffer): void => {
      const needed = size + chunk.length;
      if (size === 0) {
        memory = chunk;
      } else {
        if (needed > memory.length) {
          const larger = Buffer.allocUnsafeSlow(Math.min(maxBytes, needed * 2));
          memory.copy(larger, 0, 0, size);
          memory = larger;
        }
        chunk.copy(memory, size);
      }
      size = needed;
    };
    const body = (): Buffer => (size === memory.length ? memory : memory.subarray(0, size));
    const take = (chunk: Buffer): void => {
      try {
        if (size + chunk.length > maxBytes) throw bodyTooLarge(family, maxBytes);
        append(chunk);
        inspect?.(body());
      } catch (error) {
        request.off('data', take);
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
