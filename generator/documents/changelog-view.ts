import type { Release, SdkModel } from '../model/sdk-model.ts';
import { markdownText } from '../text/markdown.ts';

/** Returns the view of `CHANGELOG.md`, newest release first. */
export function changelogView(model: SdkModel): object {
  return { releases: model.changelog.map(releaseView) };
}

function releaseView({ semver, version, added, changed, removed }: Release): object {
  const groups = [
    { heading: 'Added', entries: added.map(markdownText) },
    { heading: 'Changed', entries: changed.map(markdownText) },
    { heading: 'Removed', entries: removed.map(markdownText) },
  ];
  return { semver, version, groups: groups.filter(({ entries }) => entries.length > 0) };
}
