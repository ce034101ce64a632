import type { ApiError } from './api-error.ts';
import { refusalText } from './refusal-text.ts';

/** Returns the JSON of a refusal: the fields of its envelope, and the fields that every error has. */
export function refusalBody(refusal: ApiError, requestId: string): object {
  const { body, code } = refusal;
  const fields = typeof body === 'string' ? {} : body;
  return { ...fields, code, message: fields.message ?? refusalText(refusal), request_id: requestId };
}
