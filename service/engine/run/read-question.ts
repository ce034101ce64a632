import type { DescMessage } from '@bufbuild/protobuf';
import { limits } from '../../../specs/limits.ts';
import { wellKnownOf } from '../../../specs/messages/well-known.ts';
import type { InvokeOutcome } from '../../nodes/container/invoke-outcome.ts';
import type { LoadedNode } from '../graph/loaded-graph.ts';
import { parseAuthoredJson } from '../events/authored-json.ts';
import type { PauseQuestion } from '../journal/entry.ts';
import { pauseRefused } from './run-texts.ts';

/**
 * Reads a node's request for a human decision. A question that is not JSON, or is nested too deeply, becomes a
 * string. Timeouts beyond the limit are shortened to it.
 *
 * @returns the question, or the message with which the step fails if the request is refused
 */
export function readQuestion(
  { compiled, registry, input }: Pick<LoadedNode, 'compiled' | 'registry' | 'input'>,
  request: Extract<InvokeOutcome, { kind: 'pause' }>,
): PauseQuestion | { error: string } {
  const refused = (detail: string): { error: string } => ({ error: pauseRefused(compiled.id, detail) });
  const { interruptPayloadJson, timeoutPolicy, timeoutSeconds, escalateAfterSeconds } = request;
  const question = jsonText(interruptPayloadJson);
  const bytes = Buffer.byteLength(question);
  if (bytes > limits.pauseQuestionBytes) {
    return refused(`its question has ${bytes} bytes of JSON, and the limit is ${limits.pauseQuestionBytes}`);
  }
  const resumeSchema = request.resumeSchema || input.typeName;
  const asked = registry.getMessage(resumeSchema);
  if (!asked) return refused(`its package has no message ${JSON.stringify(resumeSchema)}`);
  const unknown = fieldBeyond(asked, input);
  if (unknown !== undefined) {
    return refused(
      `its input message ${input.typeName} lacks the field "${unknown}" of ${resumeSchema}, so that no decision can set it`,
    );
  }
  if (timeoutPolicy !== '' && timeoutPolicy !== 'CANCEL') {
    return refused(`the timeout policy ${JSON.stringify(timeoutPolicy)} is not CANCEL`);
  }
  const seconds = Math.min(timeoutSeconds || limits.pauseSeconds, limits.maxPauseSeconds);
  return {
    question,
    resumeSchema,
    timeoutMs: seconds * 1_000,
    // A pause that expires first is never escalated.
    ...(escalateAfterSeconds > 0 &&
      escalateAfterSeconds < seconds && { escalateAfterMs: escalateAfterSeconds * 1_000 }),
  };
}

/** Returns the name of a field that the message of a decision has, but the input of the node lacks. */
function fieldBeyond(asked: DescMessage, input: DescMessage): string | undefined {
  // The JSON form of a well-known type does not follow its fields.
  if (wellKnownOf(asked) !== undefined || wellKnownOf(input) !== undefined) return undefined;
  const known = new Set(input.fields.flatMap(({ name, jsonName }) => [name, jsonName]));
  return asked.fields.find(({ name, jsonName }) => !known.has(name) && !known.has(jsonName))?.name;
}

function jsonText(text: string): string {
  if (text === '') return 'null';
  return parseAuthoredJson(text) ? text : JSON.stringify(text);
}
