import type { SdkMember } from '../model/sdk-model.ts';
import { markdownCode } from '../text/markdown.ts';

/** Describes in Markdown what a member runs: the node of a package version, or the flow by its alias. */
export function describePin(member: SdkMember): string {
  if (member.type === 'flow')
    return `flow ${markdownCode(member.alias)} (artifact ${markdownCode(member.pin.artifact)})`;
  const { package: packageName, version, node } = member.pin;
  return `node ${markdownCode(node)} of ${markdownCode(`${packageName} ${version}`)}`;
}
