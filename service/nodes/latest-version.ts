import SemVer from 'semver/classes/semver.js';

/**
 * Resolves `latest`: the highest release by semver, or the highest pre-release if there is no release; `undefined` if there are
 * no versions.
 */
export function latestVersion(versions: readonly string[]): string | undefined {
  let latest: SemVer | undefined;
  for (const version of versions) {
    const parsed = new SemVer(version);
    if (!latest || exceeds(parsed, latest)) latest = parsed;
  }
  return latest?.raw;
}

function exceeds(one: SemVer, other: SemVer): boolean {
  const isRelease = one.prerelease.length === 0;
  return isRelease === (other.prerelease.length === 0) ? one.compare(other) > 0 : isRelease;
}

/**
 * Returns the versions in descending semver order. Parses each version once: a package may have thousands,
 * and sorting compares each of them many times.
 */
export function newestFirst(versions: readonly string[]): string[] {
  return versions
    .map((version) => new SemVer(version))
    .sort((one, other) => other.compare(one))
    .map(({ raw }) => raw);
}
