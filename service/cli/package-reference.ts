import { UsageError } from './output.ts';

/**
 * Reads `owner/name@version`.
 *
 * @throws UsageError if the argument has another form
 */
export function readPackageVersion(text: string): { owner: string; name: string; version: string } {
  const [, owner, name, version] = /^([^/@]+)\/([^/@]+)@([^/@]+)$/.exec(text) ?? [];
  if (owner !== undefined && name !== undefined && version !== undefined) return { owner, name, version };
  throw new UsageError(
    `"${text}" is not a package version: write owner/name@version, such as acme/text@1.0.0`,
  );
}
