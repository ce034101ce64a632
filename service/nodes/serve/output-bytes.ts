import { type DescMessage, toBinary } from '@bufbuild/protobuf';
import { outputMessage } from './output-message.ts';
import { outputProblem } from './output-problem.ts';

/**
 * Serializes what a handler returned or yielded.
 *
 * @throws Error that names the problem, for a value that is not of the type
 */
export function outputBytes(node: string, type: DescMessage, value: unknown): Uint8Array {
  const problem = outputProblem(type, value);
  if (problem !== undefined) throw new Error(`${node} returned an invalid ${type.typeName}: ${problem}`);
  return toBinary(type, outputMessage(type, value as Record<string, unknown>));
}
