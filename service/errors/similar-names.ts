import leven from 'leven';

/** Maximum number of names listed. */
const maxListed = 3;

/** Returns the names that differ from `name` in a third of its characters or less (Levenshtein distance), the most similar ones first. */
export function similarNames(name: string, names: readonly string[]): string[] {
  const greatest = Math.max(1, Math.floor(name.length / 3));
  return names
    .map((each) => ({ each, distance: leven(name, each, { maxDistance: greatest + 1 }) }))
    .filter(({ distance }) => distance <= greatest)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, maxListed)
    .map(({ each }) => each);
}
