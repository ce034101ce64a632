/**
 * Writes a JSON value as YAML that means the same in YAML 1.1 and 1.2: `no` and `2026-01-31` are quoted. Lines are not folded,
 * and there are no anchors, which some tools render differently.
 */
export async function toYaml(value: unknown): Promise<string> {
  // Loaded for the first YAML document, which few users request, so that the service starts sooner.
  const { stringify } = await import('yaml');
  return stringify(value, { compat: 'yaml-1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
