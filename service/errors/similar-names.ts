import leven from 'leven';

/** Maximum number of names listed. */
const maxListed = 3;

/**
 * Maximum number of pairs of characters that are compared for one name, which takes a few milliseconds. This
 * suffices for 5,000 names of 20 characters, or 120 of 128.
 */
const maxPairs = 2_000_000;

/**
 * Returns the names that differ from `name` in a third of its characters or less (Levenshtein distance), the most similar ones first.
 * Of many or very long names, it considers the first ones only.
 */
export function similarNames(name: string, names: Iterable<string>): string[] {
  const greatest = Math.max(1, Math.floor(name.length / 3));
  const similar: { each: string; distance: number }[] = [];
  let pairs = 0;
  for (const each of names) {
    // The distance is never less than the difference of the lengths.
    if (Math.abs(each.length - name.length) > greatest) continue;
    pairs += name.length * each.length;
    if (pairs > maxPairs) break;
    const distance = leven(name, each, { maxDistance: greatest + 1 });
    if (distance <= greatest) similar.push({ each, distance });
  }
  return similar
    .sort((one, other) => one.distance - other.distance)
    .slice(0, maxListed)
    .map(({ each }) => each);
}
