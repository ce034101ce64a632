import type { ApiError } from './api-error.ts';

/** Returns the text of a refusal that is not sent as one, because the answer has begun. */
export function refusalText({ body, message }: ApiError): string {
  if (typeof body === 'string') return body;
  const text = body.error_message ?? body.message ?? body.error;
  return typeof text === 'string' ? text : message;
}
