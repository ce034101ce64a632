import { callableMembers, isCallable } from '../model/callable-members.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import type { NamedType } from '../model/type-reach.ts';
import { createMemberWords, type MemberWords } from '../names/member-words.ts';
import { createDeclarationWords, createReachWords } from '../names/reach-words.ts';
import type { PythonNames } from './plan-names.ts';
import { planNames } from './plan-names.ts';
import { SampleValues } from './sample-values.ts';
import { TypeTexts } from './type-texts.ts';

/** One model in the words of Python: what every view is made from. */
export interface PythonSdk {
  model: SdkModel;
  /** The members that this version of the generator gives a method: all but those that stream. */
  callable: readonly SdkMember[];
  names: PythonNames;
  texts: TypeTexts;
  samples: SampleValues;
  /** All names that the declaration of a type is written in. */
  declarationWords: (type: NamedType) => string;
  /** All names that what is printed of a member is written in. */
  memberWords: (member: SdkMember) => MemberWords;
}

/** Plans the SDK of a model. */
export function pythonSdk(model: SdkModel): PythonSdk {
  const names = planNames(model);
  const texts = new TypeTexts(model, names);
  const typeNames = { types: names.types, parts: [names.fields, names.values] };
  return {
    model,
    callable: callableMembers(model),
    names,
    texts,
    samples: new SampleValues(texts),
    declarationWords: createDeclarationWords(typeNames),
    memberWords: createMemberWords(names, createReachWords(model.types, typeNames)),
  };
}

/** Name of the method that calls a member; undefined when the SDK cannot call it yet. */
export function callName({ names }: PythonSdk, member: SdkMember): string | undefined {
  return isCallable(member) ? names.calls.get(member.alias) : undefined;
}
