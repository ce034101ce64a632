/** Returns names for an error text, at most ten of them: `a, b and 3 more`. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}

/**
 * Returns a text that states that a version of a package lacks a node, and lists the nodes that it has.
 *
 * @param place for example `acme/text 1.0.0`
 * @param requested the keys that the caller gave; the text contains both
 */
export function noSuchNodeText(
  place: string,
  { name, ulid }: { name?: string | undefined; ulid?: string | undefined },
  names: readonly string[],
): string {
  const node = [name, ulid].filter(Boolean).join(' / ');
  return `${place} has no node "${node}": it has ${nameList(names)}`;
}
