import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Family, Operation } from '../../../specs/operations/operation.ts';
import { invalidBody, invalidParameter } from '../../errors/request-errors.ts';
import { describeIssues } from './describe-issues.ts';
import { readBody } from './read-body.ts';

/** Path parameters by the declared shape. */
export function parseParams(operation: Operation, raw: Record<string, string>): Record<string, unknown> {
  return parseParameters(operation, operation.params, raw, 'path');
}

/** Query parameters by the declared shape; a repeated one arrives as an array. */
export function parseQuery(
  operation: Operation,
  raw: NodeJS.Dict<string | string[]>,
): Record<string, unknown> {
  return parseParameters(operation, operation.query, raw, 'query');
}

function parseParameters(
  operation: Operation,
  shape: z.ZodObject | undefined,
  raw: object,
  place: 'path' | 'query',
): Record<string, unknown> {
  if (!shape) return {};
  const parsed = shape.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw invalidParameter(operation.family, `${place} parameter ${describeIssues(parsed.error)}`);
}

/** The body by the declared kind: bytes as received, or JSON of the declared shape. */
export async function parseBody(operation: Operation, request: IncomingMessage): Promise<unknown> {
  const declared = operation.body;
  if (!declared) {
    // Unread bytes of a body that nobody asked for would be taken for the next request of the connection.
    request.resume();
    return undefined;
  }
  const bytes = await readBody(request, declared.maxBytes, operation.family);
  if (declared.kind === 'bytes') return bytes;
  const parsed = declared.shape.safeParse(parseJson(bytes, operation.family));
  if (parsed.success) return parsed.data;
  throw invalidBody(operation.family, describeIssues(parsed.error));
}

function parseJson(bytes: Buffer, family: Family): unknown {
  if (bytes.length === 0) throw invalidBody(family, 'it is empty, a JSON object is needed');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw invalidBody(family, error instanceof SyntaxError ? error.message : 'it is not valid UTF-8');
  }
}
