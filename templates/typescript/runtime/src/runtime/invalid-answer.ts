import { type Answer, idsOf } from "./answer.ts";
import { InvalidAnswerError } from "./errors.ts";

/** Returns the error for an invalid successful response. */
export function invalidAnswer(
  answer: Answer,
  reason: string,
  cause?: unknown,
): InvalidAnswerError {
  const place = `(HTTP ${answer.status}${idsOf(answer)})`;
  return new InvalidAnswerError(`invalid response: ${reason} ${place}`, {
    ...answer,
    cause,
  });
}
