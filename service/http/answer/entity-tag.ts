/** Reports whether an `If-None-Match` header matches the entity tag `"<tag>"`, by weak comparison (RFC 9110, 13.1.2). */
export function namesEntity(header: string | string[] | undefined, tag: string): boolean {
  const tags = String(header ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(`"${tag}"`);
}
