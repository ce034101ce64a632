import { limits } from '../../../specs/limits.ts';
import { executionNotForkable, invalidForkInput } from '../../errors/fork-errors.ts';
import type { ConversionCaller, MessageWorkers } from '../../messages/convert/message-workers.ts';
import { type SentMessage, serializeMessage } from '../../nodes/call/message-form.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type { RunState } from '../journal/state.ts';
import { exceededSteps } from '../run/run-texts.ts';

/**
 * Converts the input with which the pending node of a checkpoint restarts.
 *
 * @throws ApiError 400 if the input does not fit, or the checkpoint does not wait for exactly one node; 409 if the run has no
 *   step left
 */
export async function readForkInput(
  messages: Pick<MessageWorkers, 'convert'>,
  { graph, state }: { graph: LoadedGraph; state: RunState },
  { sent, caller }: { sent: SentMessage; caller: ConversionCaller },
): Promise<Uint8Array> {
  const pending =
    state.steps === 0 ? [graph.graph.entry] : [...state.active.values()].map((step) => step.node);
  const [node] = pending;
  if (node === undefined || pending.length > 1) {
    const found = node === undefined ? 'no node' : `${pending.length} nodes (${pending.join(', ')})`;
    throw invalidForkInput(
      `input: the checkpoint waits for ${found}: leave the input out, or fork a checkpoint that waits for one node`,
    );
  }
  if (state.steps >= limits.stepsPerRun) throw executionNotForkable(exceededSteps(limits.stepsPerRun));
  const { registry, input } = graph.node(node);
  const read = await serializeMessage(messages, { registry, typeName: input.typeName, ...caller }, sent);
  if (read.ok) return read.value;
  const { code, message, detail } = read.error;
  throw invalidForkInput(code === 'not_json' ? `input: ${detail ?? message}` : message);
}
