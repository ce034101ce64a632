import { type Answer, executionIdOf } from "./answer.ts";
import { InvalidAnswerError } from "./errors.ts";

/** The error of a successful answer that is not what it should be. */
export function invalidAnswer(
  answer: Answer,
  reason: string,
  cause?: unknown,
): InvalidAnswerError {
  return new InvalidAnswerError(`the answer does not fit: ${reason}`, {
    status: answer.status,
    headers: answer.headers,
    body: answer.body,
    executionId: executionIdOf(answer),
    cause,
  });
}
