import assert from 'node:assert/strict';
import { type ErrorCode, errorCodes } from '../../specs/error-codes.ts';

/** The fields that every JSON error has in addition to those of its own envelope. */
export interface ErrorEnvelope {
  code: ErrorCode;
  message: string;
  requestId: string;
}

/** Checks the common fields of a JSON error. */
export function errorEnvelope(headers: Headers, body: unknown): ErrorEnvelope {
  assert.ok(typeof body === 'object' && body !== null, `not a JSON object: ${JSON.stringify(body)}`);
  const { code, message, request_id: requestId } = body as Record<string, unknown>;
  assert.ok(typeof code === 'string' && code in errorCodes, `no code of the table: ${JSON.stringify(body)}`);
  assert.ok(typeof message === 'string' && message !== '', `no message: ${JSON.stringify(body)}`);
  assert.ok(typeof requestId === 'string', `no request_id: ${JSON.stringify(body)}`);
  assert.match(requestId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.equal(headers.get('x-request-id'), requestId, 'the header has another id');
  return { code: code as ErrorCode, message, requestId };
}

/** Returns a received error unchanged. */
export function wholeError({
  body,
  envelope,
}: {
  body: Readonly<Record<string, unknown>>;
  envelope?: ErrorEnvelope;
}): Record<string, unknown> {
  return { ...body, code: envelope?.code, message: envelope?.message, request_id: envelope?.requestId };
}

/** Checks the text of an error, and returns it without the common fields. */
export function ownErrorText(headers: Headers, text: string): string {
  const body = JSON.parse(text) as Record<string, unknown>;
  errorEnvelope(headers, body);
  return JSON.stringify(withoutEnvelope(body));
}

/** Returns the specific part of an error: the fields of its envelope, and the message unless one of them repeats it. */
export function withoutEnvelope(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { error, error_message = error, detail = error_message, message } = body;
  const repeated = ['code', 'request_id', ...(message === detail ? ['message'] : [])];
  return Object.fromEntries(Object.entries(body).filter(([name]) => !repeated.includes(name)));
}
