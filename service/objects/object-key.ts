const segment = '[A-Za-z0-9][A-Za-z0-9._-]*';
const wholeSegment = new RegExp(`^${segment}$`);
const wholeKey = new RegExp(`^${segment}(/${segment})*$`);
const wholePrefix = new RegExp(`^(${segment}/)*(${segment})?$`);

/**
 * Joins segments to the key of an object. Segments are ASCII letters, digits, `.`, `_` and `-`, and start with a letter or digit.
 *
 * @example objectKey('T1', 'E1', 'ab12') === 'T1/E1/ab12'
 * @throws Error for an invalid segment, so that an id such as `..` or `a/b` never reaches another tenant's objects
 */
export function objectKey(...segments: readonly string[]): string {
  for (const each of segments) {
    if (!wholeSegment.test(each)) throw new Error(`invalid segment of an object key: "${each}"`);
  }
  return segments.join('/');
}

/** Reports whether the text is a key as `objectKey` returns it: valid segments with single slashes between them. */
export function isObjectKey(text: string): boolean {
  return wholeKey.test(text);
}

/** @throws Error for an invalid key */
export function requireObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new Error(`invalid object key: "${key}"`);
}

/** @throws Error unless the text is the beginning of a key */
export function requireKeyPrefix(prefix: string): void {
  if (!wholePrefix.test(prefix)) throw new Error(`invalid prefix of object keys: "${prefix}"`);
}
