import type { ApiError } from './api-error.ts';

/** Returns the human-readable text of a refusal, from the field that has it in its envelope. */
export function refusalText({ body, message }: ApiError): string {
  if (typeof body === 'string') return body;
  const text = body.error_message ?? body.message ?? body.detail ?? body.error;
  return typeof text === 'string' ? text : message;
}
