import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { problemText } from '../../../specs/operations/problem-text.ts';
import { formType, streamTypes } from '../../../specs/operations/declared-answer.ts';
import type { Family, Lines, Operation, OperationBody } from '../../../specs/operations/operation.ts';
import { invalidBody, invalidParameter, unsupportedEncoding } from '../../errors/request-errors.ts';
import type { MemoryShare } from '../held-memory.ts';
import { describeIssues } from '../describe-issues.ts';
import { parseJson } from './parse-json.ts';
import { managementBounds, readJson } from './read-json.ts';
import { readLines } from './read-lines.ts';
import { otherForm, type UnreadForm, unreadForm } from './unread-form.ts';
import { type UnreadJson, unreadJson } from './unread-json.ts';

/** Parses the path parameters. */
export function parseParams(operation: Operation, raw: Record<string, string>): Record<string, unknown> {
  return parseParameters(operation, operation.params, raw, 'path');
}

/** Parses the query parameters. A repeated parameter is an array. */
export function parseQuery(
  operation: Operation,
  request: { query: NodeJS.Dict<string | string[]> },
): Record<string, unknown> {
  // Koa parses the query when it is read.
  return operation.query ? parseParameters(operation, operation.query, request.query, 'query') : {};
}

function parseParameters(
  operation: Operation,
  shape: z.ZodObject | undefined,
  raw: object,
  place: 'path' | 'query',
): Record<string, unknown> {
  if (!shape) return {};
  const parsed = shape.safeParse(raw, { error: problemText });
  if (parsed.success) return parsed.data;
  throw invalidParameter(operation.family, `${place} parameter ${describeIssues(parsed.error)}`);
}

interface ArrivingRequest {
  request: IncomingMessage;
  response: ServerResponse;
  /** Memory for the body. */
  memory: MemoryShare;
}

/**
 * Receives the body by its declared kind. Bytes and lines are read when the handler consumes them.
 *
 * @returns a function that parses the body. It throws an ApiError with status 400 if the body is invalid
 * @throws ApiError 415 for a compressed body, 400 or 413 for another that cannot be read
 */
export async function receiveBody(
  operation: Operation,
  { request, response, memory }: ArrivingRequest,
): Promise<() => unknown> {
  const { body: declared, family } = operation;
  if (!declared) {
    // Unread bytes of an unexpected body would be parsed as the next request on the connection.
    request.resume();
    return () => undefined;
  }
  refuseEncoding(request, family);
  const lines = linesOf(operation, request);
  if (lines) {
    const read = readLines(request, response, { ...lines, memory }, family);
    return () => read;
  }
  const { maxBytes } = declared;
  if (declared.kind === 'bytes') {
    const unread = unreadBody(declared, { request, response, memory }, family);
    return () => unread;
  }
  const { bytes } = await readJson(request, response, {
    maxBytes,
    family,
    memory,
    bounds: managementBounds,
    uniqueKeys: true,
  });
  return () => {
    const value = parseJson(bytes, family, declared.kind === 'json' ? declared.messages : undefined);
    const parsed = declared.shape.safeParse(value, { error: problemText });
    if (parsed.success) return parsed.data;
    throw invalidBody(family, describeIssues(parsed.error));
  };
}

/** Returns a JSON body, or a form, that the handler reads itself. */
function unreadBody(
  { maxBytes, orForm }: Pick<OperationBody & { kind: 'bytes' }, 'maxBytes' | 'orForm'>,
  { request, response, memory }: ArrivingRequest,
  family: Family,
): UnreadJson | UnreadForm {
  const type = mediaTypeOf(request);
  if (orForm && type === formType)
    return unreadForm(request, response, { maxBytes: orForm.maxBytes, family, memory });
  if (orForm && isOtherForm(request, type)) return otherForm(type, family);
  return unreadJson(request, response, { maxBytes, family, memory });
}

/** Refuses a compressed body before it is read, because it would be parsed as JSON. */
function refuseEncoding({ headers }: IncomingMessage, family: Family): void {
  const encoding = headers['content-encoding']?.trim() ?? '';
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') throw unsupportedEncoding(family, encoding);
}

/** Returns how the lines of the body are bounded, or undefined if the body is read as a whole. */
export function linesOf({ body }: Operation, request: IncomingMessage): Lines | undefined {
  if (body?.kind === 'lines') return body;
  return body?.kind === 'bytes' && mediaTypeOf(request) === streamTypes.lines ? body.orLines : undefined;
}

/** Encodings of HTML forms other than `formType`. */
const otherFormTypes = ['multipart/form-data', 'text/plain'];

/**
 * Reports whether a browser has sent a form in another encoding. A client that does not accept HTML is
 * assumed to send JSON.
 */
function isOtherForm({ headers }: IncomingMessage, type: string | undefined): type is string {
  return type !== undefined && otherFormTypes.includes(type) && /\btext\/html\b/i.test(headers.accept ?? '');
}

function mediaTypeOf({ headers }: IncomingMessage): string | undefined {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
}
