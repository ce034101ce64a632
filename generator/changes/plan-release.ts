import type { Appearance, Release, Surface } from '../model/sdk-model.ts';
import type { Changes } from './change-list.ts';
import { compareSurfaces } from './compare-surfaces.ts';
import { recordFirstSeen } from './first-seen.ts';
import { nextSemver } from './next-semver.ts';

/** A client version as the next one needs it. */
export interface PreviousRelease {
  surface: Surface;
  semver: string;
  firstSeen: readonly Appearance[];
}

/** What is fixed when a version is cut, and stored with it. */
export interface PlannedRelease {
  semver: string;
  /** Its entry in CHANGELOG.md. */
  release: Release;
  firstSeen: Appearance[];
}

const nothing: Surface = { members: [], types: { messages: [], enums: [] } };

/**
 * Decides the semantic version of a client version and explains it (SDK.md, Package names and versions). The first release is
 * 1.0.0 and tells its calls; types come with them.
 */
export function planRelease(
  version: number,
  surface: Surface,
  previous: PreviousRelease | undefined,
): PlannedRelease {
  const { step, ...changes } = previous ? compareSurfaces(previous.surface, surface) : firstChanges(surface);
  const semver = nextSemver(previous?.semver, step);
  return {
    semver,
    release: { semver, version, ...changes },
    firstSeen: previous ? recordFirstSeen(previous, surface, version) : [],
  };
}

function firstChanges({ members }: Surface): Changes {
  return compareSurfaces(nothing, { members, types: nothing.types });
}
