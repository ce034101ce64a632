import type { SdkMember } from './sdk-model.ts';

/** Returns the path of a call, below the base URL. A flow is called by the id of its graph, in the body. */
export function callPath(member: SdkMember): string {
  const flowPath = '/invocations/v1/flows/invoke';
  if (member.type === 'flow') return member.mode === 'pipeline' ? `${flowPath}/stream` : flowPath;
  const { package: packageName, version, node } = member.pin;
  const segments = [...packageName.split('/'), version, node].map(encodeURIComponent);
  return `/invocations/v1/nodes/${segments.join('/')}`;
}
