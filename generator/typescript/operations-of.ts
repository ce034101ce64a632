import { callableMembers } from '../model/callable-members.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import { createReachWords } from '../names/reach-words.ts';
import { createMemory } from '../remember.ts';
import { typeNames } from './names.ts';
import type { TypeScriptNames } from './names.ts';
import { operationView } from './operation-texts.ts';
import type { Operation } from './operations-view.ts';

/** The members of a model that can be called, in its order. */
export function operationsOf(model: SdkModel, names: TypeScriptNames): Operation[] {
  const reachWords = createReachWords(model.types, typeNames(names));
  return callableMembers(model).map((member): Operation => {
    const view = operationView(member, names);
    const printedAs = identityOf(member, names, reachWords);
    if (member.type === 'node') return { type: member.type, member, view, printedAs };
    const flowNames = names.flows.get(member.alias);
    if (flowNames === undefined) throw new Error(`no names were planned for flow ${member.alias}`);
    return { type: member.type, member, view, printedAs, names: flowNames };
  });
}

/**
 * What stands for all that is printed of a member and not of its client, by the words that this is made of: its own names, and
 * the names of its types and their properties.
 */
const identities = createMemory<SdkMember, object>();

function identityOf(
  member: SdkMember,
  names: TypeScriptNames,
  reachWords: (fullName: string) => string | undefined,
): object {
  const { alias, input, output } = member;
  const own = [names.functions.get(alias), names.flows.get(alias), names.types.get(output)];
  const reached = reachWords(input);
  const words = reached === undefined ? undefined : JSON.stringify(own) + reached;
  return identities.recall(member, words, () => ({}));
}
