import compare from 'semver/functions/compare.js';
import prerelease from 'semver/functions/prerelease.js';

/**
 * Resolves `latest`: the highest release by semver, or the highest pre-release if there is no release; `undefined` if there are
 * no versions.
 */
export function latestVersion(versions: readonly string[]): string | undefined {
  const descending = newestFirst(versions);
  return descending.find((version) => prerelease(version) === null) ?? descending[0];
}

/** Returns the versions in descending order of semver. */
export function newestFirst(versions: readonly string[]): string[] {
  return versions.toSorted((one, other) => compare(other, one));
}
