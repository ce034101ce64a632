import type { ApiError } from './api-error.ts';

/** Returns the text of a refusal for people, in whichever field its envelope has it. */
export function refusalText({ body, message }: ApiError): string {
  if (typeof body === 'string') return body;
  const text = body.error_message ?? body.message ?? body.detail ?? body.error;
  return typeof text === 'string' ? text : message;
}
