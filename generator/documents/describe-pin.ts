import type { SdkMember } from '../model/sdk-model.ts';
import { markdownCode } from '../text/markdown.ts';

/** The node of a package version, or the flow by its alias, that a member runs; Markdown. */
export function describePin(member: SdkMember): string {
  if (member.type === 'flow')
    return `flow ${markdownCode(member.alias)} (artifact ${markdownCode(member.pin.artifact)})`;
  const { package: packageName, version, node } = member.pin;
  return `node ${markdownCode(node)} of ${markdownCode(`${packageName} ${version}`)}`;
}
