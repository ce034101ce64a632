/** Leaves room for a suffix, and for the prefixes of package registries. */
const maxLength = 60;

/**
 * Derives a slug from any text: converts it to lower case, removes accents, and replaces everything but `a-z0-9` with dashes. The
 * result matches `[a-z0-9]+(-[a-z0-9]+)*`. A name without usable characters gives `client`.
 *
 * @example clientSlug('Café  Orders!') === 'cafe-orders'
 */
export function clientSlug(name: string): string {
  const parts = name
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (parts ?? []).join('-').slice(0, maxLength).replace(/-$/, '');
  return slug === '' ? 'client' : slug;
}

/** Returns `slug`, or the first free one of `slug-2`, `slug-3` and so on. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  let free = slug;
  for (let suffix = 2; taken.has(free); suffix += 1) free = `${slug}-${suffix}`;
  return free;
}
