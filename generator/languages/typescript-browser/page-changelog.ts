import type { Release, SdkMember } from '../../model/sdk-model.ts';

/** Returns the releases without entries about nodes, which pages cannot call. */
export function pageChangelog(releases: readonly Release[], members: readonly SdkMember[]): Release[] {
  const nodes = new Set(members.filter(({ type }) => type === 'node').map(({ alias }) => alias));
  const isOfPages = (entry: string): boolean => {
    const [, alias, rest = ''] = /^Call ("(?:[^"\\]|\\.)*") (.*)$/s.exec(entry) ?? [];
    if (alias === undefined || rest.startsWith('(flow ') || rest.startsWith('is a ')) return true;
    return !rest.startsWith('(node ') && !nodes.has(JSON.parse(alias) as string);
  };
  return releases.map((release) => ({
    ...release,
    added: release.added.filter(isOfPages),
    changed: release.changed.filter(isOfPages),
    removed: release.removed.filter(isOfPages),
  }));
}
