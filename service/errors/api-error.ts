/** A JSON value as it goes into a response body. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined };

/**
 * A refusal with its HTTP answer. Made only by the named factories beside this file, rendered only by `http/`; `status` must
 * be one that the operation declares.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** An object is sent as JSON, a string as plain text. */
  readonly body: Record<string, Json | undefined> | string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    body: Record<string, Json | undefined> | string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof body === 'string' ? body : JSON.stringify(body));
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}
