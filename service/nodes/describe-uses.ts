import type { VersionUses } from '../store/version-uses.ts';

/** Display name of each kind. */
export const useLabels: Record<VersionUses['kind'], string> = {
  flow: 'flow',
  client_member: 'client member',
  instance: 'Instance',
  unfinished_run: 'unfinished run',
};

/** Maximum number of names of each kind in a sentence. */
const namesShown = 3;

/**
 * Describes uses, for example `2 flows A (9f…), B (0c…) and 1 flow of other tenants`. The names of other
 * tenants are not available here.
 */
export function describeUses({ kind, own, others, names }: VersionUses): string {
  const shown = own > namesShown ? [...names.slice(0, namesShown), '...'] : names;
  return [
    ...(own > 0 ? [`${counted(own, useLabels[kind])} ${shown.join(', ')}`] : []),
    ...(others > 0 ? [`${counted(others, useLabels[kind])} of other tenants`] : []),
  ].join(' and ');
}

function counted(count: number, kind: string): string {
  return `${count} ${kind}${count === 1 ? '' : 's'}`;
}
