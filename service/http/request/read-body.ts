import type { IncomingMessage } from 'node:http';
import type { Family } from '../../../specs/operations/operation.ts';
import { bodyCutOff, bodyTooLarge } from '../../errors/request-errors.ts';
import { discardBody } from './discard-body.ts';

/**
 * Reads a request body of at most `maxBytes` bytes into memory. Refuses a larger one as early as possible: by its
 * `Content-Length`, or at the first byte over the limit.
 */
export async function readBody(request: IncomingMessage, maxBytes: number, family: Family): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? Number.NaN);
  if (declared > maxBytes) {
    void discardBody(request);
    throw bodyTooLarge(family, maxBytes, declared);
  }
  // A destroyed request emits no further events.
  if (request.destroyed) throw bodyCutOff(family);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      request.off('data', take);
      void discardBody(request);
      reject(bodyTooLarge(family, maxBytes));
    };
    const cutOff = (): void => {
      if (!request.readableEnded) reject(bodyCutOff(family));
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(chunks, size)));
    request.once('error', cutOff);
    request.once('close', cutOff);
  });
}
