import type { DescMessage } from '@bufbuild/protobuf';

/** A message type, and the number of types on the longest path through its fields, itself included. */
interface Chain {
  type: DescMessage;
  length: number;
}

/**
 * Finds the longest chain of message types, in which each is the type of a field of the previous one. A type
 * that contains itself ends its chain.
 */
export function longestChain(messages: readonly DescMessage[]): Chain | undefined {
  let longest: Chain | undefined;
  for (const [type, length] of chainLengths(messages)) {
    if (length > (longest?.length ?? 0)) longest = { type, length };
  }
  return longest;
}

/** Iterative, because the chains that it looks for would overflow the stack. */
function chainLengths(messages: readonly DescMessage[]): ReadonlyMap<DescMessage, number> {
  /** 0 while the fields of a type are being visited. */
  const lengths = new Map<DescMessage, number>();
  for (const root of messages) {
    const open = [root];
    for (let type = open.at(-1); type !== undefined; type = open.at(-1)) {
      const inner = type.fields.flatMap(({ message }) => message ?? []);
      const length = lengths.get(type);
      if (length === undefined) {
        lengths.set(type, 0);
        open.push(...inner.filter((message) => !lengths.has(message)));
        continue;
      }
      open.pop();
      if (length > 0) continue;
      const longest = inner.reduce((most, message) => Math.max(most, lengths.get(message) ?? 0), 0);
      lengths.set(type, longest + 1);
    }
  }
  return lengths;
}
