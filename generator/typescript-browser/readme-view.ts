import { describePin } from '../documents/describe-pin.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { markdownCode } from '../text/markdown.ts';
import { callableMembers, type TypeScriptNames } from '../typescript/names.ts';
import type { Operation } from '../typescript/operations-view.ts';
import type { ProgramTerms } from '../typescript/programs.ts';
import { readmeView as typescriptReadmeView } from '../typescript/readme-view.ts';
import { globalName } from './package-names.ts';
import { pageModel } from './page-model.ts';

/** View of `README.md`: that of TypeScript, and what pages cannot call. */
export function readmeView(
  model: SdkModel,
  operations: readonly Operation[],
  names: TypeScriptNames,
  program: ProgramTerms,
): object {
  const flows = pageModel(model);
  const callable = new Set(callableMembers(flows));
  const named = (members: SdkModel['members']): string[] =>
    members.map((member) => `${markdownCode(member.alias)}, ${describePin(member)}`);
  return {
    ...typescriptReadmeView(model, operations, names, program),
    globalName: globalName(model),
    nodes: named(model.members.filter(({ type }) => type === 'node')),
    notCallable: named(flows.members.filter((member) => !callable.has(member))),
  };
}
