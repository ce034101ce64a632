import { remembering } from '../../specs/remembering.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { markdownCode } from '../text/markdown.ts';

/** What a member runs, as Markdown: a node of a package version, or an artifact of a flow. */
export const describePin = remembering((member: SdkMember): string => {
  if (member.type === 'flow') return `flow artifact ${markdownCode(member.pin.artifact)}`;
  const { package: packageName, version, node } = member.pin;
  return `node ${markdownCode(node)} of ${markdownCode(`${packageName} ${version}`)}`;
});
