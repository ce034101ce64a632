import { thrownMessage } from '../errors/thrown-message.ts';

/**
 * Returns why a message cannot be encoded. A proto2 `required` field is not set: the message's type rules out
 * all other problems.
 */
export function encodingProblem(error: unknown): string {
  const text = thrownMessage(error);
  const [, field] = /^cannot encode field (\S+) to binary: required field not set$/.exec(text) ?? [];
  return field === undefined ? text : `the required field ${field} is missing`;
}
