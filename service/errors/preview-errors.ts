import { ApiError } from './api-error.ts';

/** Refusals of a mapping preview, plain text (SPEC.md, POST /adapters/preview). What is wrong with the mapping is no refusal. */

/** The body does not make sense; `detail` names the place and the mend. */
export function invalidPreview(detail: string): ApiError {
  return new ApiError(400, detail);
}

/** No package that the tenant can read has it. */
export function messageNotFound(place: string, name: string): ApiError {
  return new ApiError(404, `${place}: message "${shorten(name)}" not found in any package that you can read`);
}

/**
 * A mapping that does not compile or run, in the words that compiling and running a flow have for it: CEL and transforms speak
 * for themselves, all else is the adapter's.
 */
export function mappingFailure(detail: string): string {
  return /^(CEL |transform TRANSFORM_)/.test(detail) ? detail : `adapter: ${detail}`;
}

function shorten(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}...`.toWellFormed() : name;
}
