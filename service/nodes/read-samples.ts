import { setImmediate as nextTurn } from 'node:timers/promises';
import { type JsonValue, type Registry, toJson } from '@bufbuild/protobuf';
import type { NodeDeclaration } from '../../specs/operations/package-shapes.ts';
import { messageFromJson } from '../messages/json/message-from-json.ts';
import { messageType } from '../messages/message-type.ts';

/** The samples of a package's nodes, by node name, or the problems with them. */
type Samples = { ok: true; samples: Map<string, JsonValue> } | { ok: false; problems: string[] };

/**
 * Reads the samples that nodes declare, each as the canonical ProtoJSON of the node's input.
 *
 * @param nodes without other problems
 */
export async function readSamples(nodes: readonly NodeDeclaration[], registry: Registry): Promise<Samples> {
  const samples = new Map<string, JsonValue>();
  const problems: string[] = [];
  for (const { name, input, sample } of nodes) {
    if (sample === undefined) continue;
    if (input === undefined) {
      problems.push(`node "${name}": a node with an open input has no sample: remove it`);
      continue;
    }
    const read = messageFromJson(registry, input, JSON.stringify(sample));
    if (!read.ok) {
      problems.push(`node "${name}": sample: ${read.error.message}`);
      continue;
    }
    try {
      samples.set(name, toJson(messageType(registry, input), read.value, { registry }));
    } catch (error) {
      // A required field of proto2 is not set.
      problems.push(`node "${name}": sample: ${(error as Error).message}`);
    }
    // A package has up to 500 samples.
    await nextTurn();
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, samples };
}
