import type { Family } from '../../specs/operations/operation.ts';
import type { ApiError } from './api-error.ts';

/**
 * Returns the body of a refusal in the envelope of an operation's family.
 *
 * @param invocation the body in the family of invocations, whose fields differ between refusals
 */
export function bodyInFamily(
  family: Family,
  text: string,
  invocation: Exclude<ApiError['body'], string>,
): ApiError['body'] {
  switch (family) {
    case 'invocation':
      return invocation;
    case 'node':
      return { error_message: text };
    case 'preview':
      return text;
    case 'management':
    case 'system':
      return { error: text };
  }
}
