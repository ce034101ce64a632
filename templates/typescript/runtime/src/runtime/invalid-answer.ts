import type { Answer } from "./answer.ts";
import { InvalidAnswerError } from "./errors.ts";

/** Returns the error for an invalid successful response. */
export function invalidAnswer(
  answer: Answer,
  reason: string,
  cause?: unknown,
): InvalidAnswerError {
  return new InvalidAnswerError(`invalid response: ${reason}`, {
    ...answer,
    cause,
  });
}
