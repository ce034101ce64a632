import { ApiError } from './api-error.ts';
import { shorten } from './shorten.ts';

/** The request is invalid. An error in the mapping itself is a result, not a refusal. */
export function invalidPreview(detail: string): ApiError {
  return new ApiError(400, 'invalid_body', detail);
}

/** No package that the tenant can read contains the message. */
export function messageNotFound(place: string, name: string): ApiError {
  return new ApiError(
    404,
    'message_not_found',
    `${place}: message "${shorten(name, 200)}" not found in any package that you can read`,
  );
}

/** Error text of a mapping, as compiling and running a flow report it. Texts of CEL and transforms have their own prefixes. */
export function mappingFailure(detail: string): string {
  return /^(CEL |transform TRANSFORM_)/.test(detail) ? detail : `adapter: ${detail}`;
}
