import { thrownMessage } from '../errors/thrown-message.ts';

/** Says why a message cannot be encoded: a proto2 `required` field is not set, the only problem that its type does not rule out. */
export function encodingProblem(error: unknown): string {
  const text = thrownMessage(error);
  const [, field] = /^cannot encode field (\S+) to binary: required field not set$/.exec(text) ?? [];
  return field === undefined ? text : `the required field ${field} is missing`;
}
