import type { VersionUses } from '../store/version-uses.ts';

const labels: Record<VersionUses['kind'], string> = {
  flow: 'flow',
  client_member: 'client member',
  instance: 'Instance',
  unfinished_run: 'unfinished run',
};

/** For example `2 flows A (9f…), B (0c…) and 1 flow of other tenants`. Names of other tenants are not known here. */
export function describeUses({ kind, own, others, names }: VersionUses): string {
  const shown = own > names.length ? [...names, '...'] : names;
  return [
    ...(own > 0 ? [`${counted(own, labels[kind])} ${shown.join(', ')}`] : []),
    ...(others > 0 ? [`${counted(others, labels[kind])} of other tenants`] : []),
  ].join(' and ');
}

function counted(count: number, kind: string): string {
  return `${count} ${kind}${count === 1 ? '' : 's'}`;
}
