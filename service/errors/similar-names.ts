/** Names that are listed. */
const maxListed = 3;

/** Returns the names that differ from `name` in a third of its characters or less, the most similar ones first. */
export function similarNames(name: string, names: readonly string[]): string[] {
  const greatest = Math.max(1, Math.floor(name.length / 3));
  return names
    .filter((each) => Math.abs(each.length - name.length) <= greatest)
    .map((each) => ({ each, distance: editDistance(name, each) }))
    .filter(({ distance }) => distance <= greatest)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, maxListed)
    .map(({ each }) => each);
}

/** The least number of characters to add, remove or replace (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index += 1) {
    const next = [index + 1];
    let last = index + 1;
    for (const [at, above] of row.slice(1).entries()) {
      const replaced = (row[at] ?? 0) + (from[index] === to[at] ? 0 : 1);
      last = Math.min(replaced, above + 1, last + 1);
      next.push(last);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
