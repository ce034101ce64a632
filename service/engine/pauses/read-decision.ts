import { limits } from '../../../specs/limits.ts';
import { invalidResumeRequest, invalidResumeValue, resumeValueTooLarge } from '../../errors/pause-errors.ts';
import type { ConversionCaller, MessageWorkers } from '../../messages/convert/message-workers.ts';
import { formatMessage, serializeMessage } from '../../nodes/call/message-form.ts';
import type { Pause } from '../../store/pauses.ts';
import type { LoadedNode } from '../graph/loaded-graph.ts';
import type { PauseDecision } from '../run/next-actions.ts';
import { redactSecrets } from './redact-secrets.ts';

/** A decision as a caller sends it. */
export type SentDecision =
  | { form: 'none' | 'not_base64' | 'other' }
  | { form: 'json'; text: Buffer; values: number }
  | { form: 'bytes'; bytes: Uint8Array };

type ReadDecision = Pick<PauseDecision, 'value' | 'decision'>;

/**
 * Converts a decision to the input of the node that asked. A string that cannot be converted is still a decision, and
 * fails the run.
 *
 * @throws ApiError 400 for any other value that does not fit, or one over the size limit
 */
export async function readDecision(
  messages: Pick<MessageWorkers, 'convert'>,
  {
    sent,
    pause,
    node,
    caller,
  }: {
    sent: SentDecision;
    pause: Pick<Pause, 'id' | 'resumeSchema'>;
    node: Pick<LoadedNode, 'registry' | 'input'>;
    caller: ConversionCaller;
  },
): Promise<ReadDecision> {
  const { registry, input } = node;
  const typeOf = (typeName: string) => ({ registry, typeName, ...caller });
  const unreadable = (detail: string): ReadDecision => ({
    decision: { error: `resume value of pause ${pause.id}: ${detail}` },
  });
  switch (sent.form) {
    case 'none':
      return { decision: { input: new Uint8Array() } };
    case 'other':
      throw invalidResumeValue('value must be an object, or a string of base64');
    case 'not_base64':
      return unreadable('the string is not standard base64 with padding');
    case 'bytes': {
      if (sent.bytes.length > limits.inputBytes) throw resumeValueTooLarge();
      const task = typeOf(input.typeName);
      const checked = await serializeMessage(messages, task, sent);
      if (!checked.ok) return unreadable(checked.error.message);
      if (sent.bytes.length > limits.recordedDecisionBytes) return { decision: { input: checked.value } };
      const shown = await formatMessage(messages, { ...task, accepted: true }, checked.value, 'json');
      return { ...(shown.ok && recordOf(shown.value.text)), decision: { input: checked.value } };
    }
    case 'json': {
      if (sent.text.length > limits.inputBytes) throw resumeValueTooLarge();
      const types = [...new Set([pause.resumeSchema, input.typeName])];
      let bytes: Uint8Array = new Uint8Array();
      // The last type is the node's input.
      for (const typeName of types) {
        const read = await serializeMessage(messages, typeOf(typeName), sent);
        if (!read.ok && read.error.code === 'not_json') {
          throw invalidResumeRequest(`value: ${read.error.detail ?? read.error.message}`);
        }
        if (!read.ok) throw invalidResumeValue(read.error.message);
        bytes = read.value;
      }
      return { ...recordOf(sent.text.toString()), decision: { input: bytes } };
    }
  }
}

/** Returns a decision in the form that the record of its pause shows, or nothing if it is too large. */
export function recordOf(json: string): { value?: string } {
  if (Buffer.byteLength(json) > limits.recordedDecisionBytes) return {};
  return { value: redactSecrets(json) };
}
