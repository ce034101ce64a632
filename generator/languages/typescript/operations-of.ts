import type { SdkModel } from '../../model/sdk-model.ts';
import { planned } from '../../names/planned.ts';
import type { TypeScriptNames } from './names.ts';
import { operationView } from './operation-texts.ts';
import type { Operation } from './operations-view.ts';

/** Returns the members of a model, in its order. */
export function operationsOf(model: SdkModel, names: TypeScriptNames): Operation[] {
  return model.members.map((member): Operation => {
    const view = operationView(member, names);
    if (member.mode === 'pipeline')
      return { type: 'stream', member, view, names: planned(names.streams, member.alias) };
    if (member.type === 'node') return { type: member.type, member, view };
    const flowNames = names.flows.get(member.alias);
    if (flowNames === undefined) throw new Error(`no names were planned for flow ${member.alias}`);
    return { type: member.type, member, view, names: flowNames };
  });
}
