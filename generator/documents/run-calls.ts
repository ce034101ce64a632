import type { LanguageTerms } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { markdownCode } from '../text/markdown.ts';

/** Returns the calls for runs of any flow as lines of a list; empty if the SDK runs no flow. */
export function runCallLines({ members }: SdkModel, terms: LanguageTerms): string[] {
  const runsFlows = members.some(
    (member) => member.type === 'flow' && member.mode === 'unary' && terms.call(member) !== undefined,
  );
  if (!runsFlows) return [];
  const { execution, pauses } = terms.runCalls;
  return [
    `${markdownCode(execution)}: a handle to a run of any flow by its id. Its output is JSON.`,
    `${markdownCode(pauses)}: the pauses of all runs, for example those that wait for a decision. App keys cannot list them.`,
  ];
}
