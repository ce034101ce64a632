import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Family, Lines } from '../../../specs/operations/operation.ts';
import { ApiError } from '../../errors/api-error.ts';
import { bodyCutOff, bodyTooLarge, invalidBody, streamTooLarge } from '../../errors/request-errors.ts';
import { askForBody } from './ask-for-body.ts';
import { discardBody } from './discard-body.ts';
import { messageBounds, scanJson } from './read-json.ts';

const lineFeed = 0x0a;

/**
 * Reads the lines of an NDJSON body as they arrive, without their line ends; blank lines are skipped. Reads no faster than the
 * caller consumes. A caller that stops early leaves the rest of the body to be dropped.
 *
 * @throws ApiError 413 at the first byte over a limit, 400 for text that is not UTF-8 and for a body that is cut off
 */
export async function* readLines(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, maxLineBytes }: Pick<Lines, 'maxBytes' | 'maxLineBytes'>,
  family: Family,
): AsyncGenerator<string, void, undefined> {
  let total = 0;
  let partial: Buffer[] = [];
  let partialSize = 0;
  const lineOf = (end: Buffer): string => {
    if (partialSize + end.length > maxLineBytes) throw bodyTooLarge(family, maxLineBytes);
    const line = partial.length === 0 ? end : Buffer.concat([...partial, end]);
    partial = [];
    partialSize = 0;
    scanJson(line, { family, bounds: messageBounds });
    return textOf(line, family);
  };
  try {
    const declared = Number(request.headers['content-length'] ?? Number.NaN);
    if (declared > maxBytes) throw streamTooLarge(maxBytes, declared);
    // A destroyed request emits no further events.
    if (request.destroyed) throw bodyCutOff(family);
    for await (const chunk of chunksOf(request)) {
      // The lines before the limit are good, also those of the chunk that exceeds it.
      const within = chunk.subarray(0, maxBytes - total);
      total += chunk.length;
      let start = 0;
      for (let end = within.indexOf(lineFeed); end >= 0; end = within.indexOf(lineFeed, start)) {
        const line = lineOf(within.subarray(start, end));
        start = end + 1;
    askForBody(request, response);
        if (!isBlank(line)) yield line;
      }
      if (total > maxBytes) throw streamTooLarge(maxBytes);
      partial.push(within.subarray(start));
      partialSize += within.length - start;
      if (partialSize > maxLineBytes) throw bodyTooLarge(family, maxLineBytes);
    }
    const last = lineOf(Buffer.alloc(0));
    if (!isBlank(last)) yield last;
  } catch (error) {
    throw error instanceof ApiError ? error : bodyCutOff(family);
  } finally {
    if (!request.readableEnded) void discardBody(request, response);
  }
}

/** The chunks of a body. Leaving the loop keeps the connection open for the answer. */
function chunksOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

function textOf(line: Buffer, family: Family): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line).replace(/\r$/, '');
  } catch {
    throw invalidBody(family, 'it is not valid UTF-8');
  }
}

function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}
