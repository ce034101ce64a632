import { callableMembers } from '../../model/callable-members.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { TypeScriptNames } from './names.ts';
import { operationView } from './operation-texts.ts';
import type { Operation } from './operations-view.ts';

/** The members of a model that can be called, in its order. */
export function operationsOf(model: SdkModel, names: TypeScriptNames): Operation[] {
  return callableMembers(model).map((member): Operation => {
    const view = operationView(member, names);
    if (member.type === 'node') return { type: member.type, member, view };
    const flowNames = names.flows.get(member.alias);
    if (flowNames === undefined) throw new Error(`no names were planned for flow ${member.alias}`);
    return { type: member.type, member, view, names: flowNames };
  });
}
