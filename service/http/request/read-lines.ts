import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Family, Lines } from '../../../specs/operations/operation.ts';
import { ApiError } from '../../errors/api-error.ts';
import { bodyCutOff, bodyTooLarge, invalidBody, streamTooLarge } from '../../errors/request-errors.ts';
import { streamTurns } from '../../work/turn-budget.ts';
import type { MemoryShare } from '../held-memory.ts';
import { askForBody } from './ask-for-body.ts';
import { discardBody } from './discard-body.ts';
import { messageBounds, scanJson } from './read-json.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const byteOrderMark = Buffer.of(0xef, 0xbb, 0xbf);
/** Bytes around a line that do not count toward its length: a byte order mark and a carriage return. */
const aroundLine = byteOrderMark.length + 1;

interface ReadLinesOptions extends Pick<Lines, 'maxBytes' | 'maxLineBytes'> {
  /** Counts the memory of a line from its second chunk on, until the next line is asked for. */
  memory: MemoryShare;
}

/**
 * Reads the lines of an NDJSON body as they arrive, without their line ends and without a byte order mark at
 * the start of the body. Skips blank lines. Reads no faster than the caller consumes, and yields to other
 * requests every few milliseconds. If the caller stops early, the rest of the body is left to be dropped.
 *
 * @throws ApiError 413 as soon as a limit is exceeded, 400 for text that is not UTF-8 and for a body that is
 *   cut off, 429 or 503 if too many large lines arrive at the same time
 */
export async function* readLines(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, maxLineBytes, memory }: ReadLinesOptions,
  family: Family,
): AsyncGenerator<string, void, undefined> {
  let total = 0;
  let partial: Buffer[] = [];
  let partialSize = 0;
  let isFirst = true;
  const lineOf = (end: Buffer): string => {
    const bytes = partial.length === 0 ? end : Buffer.concat([...partial, end]);
    const line = bytes.subarray(isFirst ? startOf(bytes) : 0, endOf(bytes));
    if (line.length > maxLineBytes) throw bodyTooLarge(family, maxLineBytes);
    isFirst = false;
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
    askForBody(request, response);
    for await (const chunk of chunksOf(request)) {
      // Lines before the limit are valid, including those in the chunk that exceeds it.
      const within = chunk.subarray(0, maxBytes - total);
      total += chunk.length;
      await streamTurns.yieldIfSpent();
      let start = 0;
      for (;;) {
        if (partialSize === 0) {
          const next = afterBlankLines(within, start, maxLineBytes);
          if (next > start) isFirst = false;
          start = next;
        }
        const end = within.indexOf(lineFeed, start);
        if (end < 0) break;
        const line = lineOf(within.subarray(start, end));
        start = end + 1;
        if (!isBlank(line)) yield line;
        memory.release();
        await streamTurns.yieldIfSpent();
      }
      if (total > maxBytes) throw streamTooLarge(maxBytes);
      partial.push(within.subarray(start));
      partialSize += within.length - start;
      if (partialSize > maxLineBytes + aroundLine) throw bodyTooLarge(family, maxLineBytes);
      memory.growTo(partialSize);
    }
    const last = lineOf(Buffer.alloc(0));
    if (!isBlank(last)) yield last;
  } catch (error) {
    throw error instanceof ApiError ? error : bodyCutOff(family);
  } finally {
    memory.release();
    if (!request.readableEnded) void discardBody(request, response);
  }
}

/** The chunks of a body. Leaving the loop keeps the connection open for the response. */
function chunksOf(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
}

/** Returns where the first line that is not blank starts. A line over the limit does not count as blank. */
function afterBlankLines(bytes: Buffer, from: number, maxLineBytes: number): number {
  let start = from;
  for (let at = from; at < bytes.length && at - start <= maxLineBytes; at += 1) {
    const code = bytes[at];
    if (code === lineFeed) start = at + 1;
    else if (code !== 0x20 && code !== 0x09 && code !== carriageReturn) break;
  }
  return start;
}

/** Returns where the text of a body starts, behind a byte order mark. */
function startOf(body: Buffer): number {
  return body.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0;
}

/** Returns where a line ends, before the carriage return of a CRLF. */
function endOf(line: Buffer): number {
  return line.at(-1) === carriageReturn ? line.length - 1 : line.length;
}

function textOf(line: Buffer, family: Family): string {
  try {
    return utf8.decode(line);
  } catch {
    throw invalidBody(family, 'it is not valid UTF-8');
  }
}

function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}
