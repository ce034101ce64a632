import { compare, prerelease } from 'semver';

/**
 * The version that `latest` means: the highest release by semver, the highest pre-release when nothing else was published;
 * `undefined` for none.
 */
export function latestVersion(versions: readonly string[]): string | undefined {
  const descending = newestFirst(versions);
  return descending.find((version) => prerelease(version) === null) ?? descending[0];
}

export function newestFirst(versions: readonly string[]): string[] {
  return versions.toSorted((one, other) => compare(other, one));
}
