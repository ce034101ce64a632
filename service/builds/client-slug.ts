/** Leaves room for a suffix, and for what package registries put around it. */
const maxLength = 60;

/**
 * The slug of a name that may be any text: lower case, accents dropped, everything else but `a-z0-9` a dash. Always
 * `[a-z0-9]+(-[a-z0-9]+)*`; a name without a usable character gives `client`.
 *
 * @example clientSlug('Café  Orders!') === 'cafe-orders'
 */
export function clientSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).join('-').slice(0, maxLength).replace(/-$/, '');
  return slug === '' ? 'client' : slug;
}

/** `slug` itself, or the first of `slug-2`, `slug-3` ... that is not taken. */
export function freeSlug(slug: string, taken: ReadonlySet<string>): string {
  let free = slug;
  for (let suffix = 2; taken.has(free); suffix += 1) free = `${slug}-${suffix}`;
  return free;
}
