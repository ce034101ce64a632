import type { Appearance, NamedSurface, Release } from '../model/sdk-model.ts';
import type { Changes } from './change-list.ts';
import { compareSurfaces } from './compare-surfaces.ts';
import { recordFirstSeen } from './first-seen.ts';
import { nextSemver } from './next-semver.ts';

/** The parts of a client version that planning the next one needs. */
interface PreviousRelease {
  surface: NamedSurface;
  semver: string;
  firstSeen: readonly Appearance[];
}

/** The release data that is stored with a version. */
export interface PlannedRelease {
  semver: string;
  /** Its entry in CHANGELOG.md. */
  release: Release;
  firstSeen: Appearance[];
}

/**
 * Computes the semantic version of a client version and its changelog. The first release is 1.0.0, and its changelog
 * lists its calls.
 */
export function planRelease(
  version: number,
  surface: NamedSurface,
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

function firstChanges({ slug, members }: NamedSurface): Changes {
  const types = { messages: [], enums: [] };
  return compareSurfaces({ slug, members: [], types }, { slug, members, types });
}
