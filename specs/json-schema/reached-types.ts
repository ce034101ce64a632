import type { TypeModel } from '../messages/message-model.ts';

/**
 * Returns the full names of the messages and enums that the roots reach, including the roots, in the order of their
 * first mention.
 */
export function reachedTypes({ messages }: TypeModel, roots: readonly string[]): ReadonlySet<string> {
  const byName = new Map(messages.map((message) => [message.fullName, message]));
  const reached = new Set(roots.filter((root) => byName.has(root)));
  // Iterating a Set also visits elements added during the iteration.
  for (const fullName of reached) {
    for (const { type } of byName.get(fullName)?.fields ?? []) {
      if ('fullName' in type) reached.add(type.fullName);
    }
  }
  return reached;
}
