import { InvalidResponseError } from "./errors.ts";
import { idsOf, type RawResponse } from "./response.ts";

/** Returns the error for an invalid successful response. */
export function invalidResponse(
  response: RawResponse,
  reason: string,
  cause?: unknown,
): InvalidResponseError {
  const place = `(HTTP ${response.status}${idsOf(response)})`;
  return new InvalidResponseError(`invalid response: ${reason} ${place}`, {
    ...response,
    cause,
  });
}
