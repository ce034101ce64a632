import type { DescMessage } from '@bufbuild/protobuf';
import { messageType } from '../message-type.ts';
import type { MessageRegistry } from '../registry.ts';
import { estimateBytes } from './estimate-bytes.ts';
import { estimateJson } from './estimate-json.ts';
import { microsPerMessage } from './conversion-costs.ts';

interface Estimated {
  registry: MessageRegistry;
  typeName: string;
  input: string | Uint8Array;
  /** Number of JSON values in the input, if known. */
  values?: number | undefined;
}

/** A conversion of fewer bytes, or string characters, takes at most about 10 ms for any type. */
const alwaysFast = 512;

/**
 * Reports whether a conversion certainly takes at most about `maxMicros` of processor time. The estimate itself takes a small
 * part of that time.
 */
export function isFast(
  isJson: boolean,
  { registry, typeName, input, values }: Estimated,
  maxMicros: number,
): boolean {
  if (input.length < alwaysFast) return true;
  const type = messageType(registry, typeName);
  if (!isJson) return estimateBytes(type, input as Uint8Array, maxMicros) <= maxMicros;
  const perMessage = widestMessage(registry, type);
  return estimateJson(input, { perMessage, values }, maxMicros) <= maxMicros;
}

const widest = new WeakMap<DescMessage, number>();

/** The cost of the most expensive message that can occur in a message of this type. */
function widestMessage(registry: MessageRegistry, type: DescMessage): number {
  const known = widest.get(type);
  if (known !== undefined) return known;
  const found = new Set([type]);
  for (const { typeName, fields } of found) {
    for (const { message } of fields) if (message) found.add(message);
    if (typeName !== 'google.protobuf.Any') continue;
    for (const any of registry) if (any.kind === 'message') found.add(any);
  }
  const cost = Math.max(...[...found].map(microsPerMessage));
  widest.set(type, cost);
  return cost;
}
