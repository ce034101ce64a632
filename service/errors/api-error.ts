import type { ErrorCode } from '../../specs/error-codes.ts';

/** A JSON value of a response body. Undefined fields are omitted. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined };

/**
 * A refusal with its HTTP response. Only the factories in this folder create one, and only `service/http` renders it. `status`
 * must be a declared status of the operation.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  /** An object is sent as JSON, together with `code`, `message` and `request_id`; a string as plain text. */
  readonly body: Record<string, Json | undefined> | string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: ErrorCode,
    body: Record<string, Json | undefined> | string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof body === 'string' ? body : JSON.stringify(body));
    this.status = status;
    this.code = code;
    this.body = body;
    this.headers = headers;
  }
}
