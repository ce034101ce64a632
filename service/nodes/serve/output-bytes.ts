import { type DescMessage, toBinary } from '@bufbuild/protobuf';
import { encodingProblem } from '../../messages/encoding-problem.ts';
import { outputMessage } from './output-message.ts';
import { outputProblem } from './output-problem.ts';

/**
 * Serializes a value that a handler returned or yielded.
 *
 * @throws Error that names the problem, for a value that does not match the type
 */
export function outputBytes(node: string, type: DescMessage, value: unknown): Uint8Array {
  const invalid = (problem: string): Error =>
    new Error(`${node} returned an invalid ${type.typeName}: ${problem}`);
  const problem = outputProblem(type, value);
  if (problem !== undefined) throw invalid(problem);
  try {
    return toBinary(type, outputMessage(type, value as Record<string, unknown>));
  } catch (error) {
    throw invalid(encodingProblem(error));
  }
}
