import { callableMembers, isCallable } from '../model/callable-members.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import type { NamedType } from '../model/type-reach.ts';
import type { PackageNames } from './package-names.ts';
import { packageNames } from './package-names.ts';
import type { CsharpNames } from './plan-names.ts';
import { planNames } from './plan-names.ts';
import { createMemberWords, type MemberWords } from '../names/member-words.ts';
import { createDeclarationWords, createReachWords } from '../names/reach-words.ts';
import { SampleValues } from './sample-values.ts';
import { TypeTexts } from './type-texts.ts';

/** One model in the words of C#: what every view is made from. */
export interface CsharpSdk {
  model: SdkModel;
  /** The members that this version of the generator gives a method: all but those that stream. */
  callable: readonly SdkMember[];
  package: PackageNames;
  names: CsharpNames;
  texts: TypeTexts;
  samples: SampleValues;
  /** All names that what is printed of a member is written in, as words for memories. */
  memberWords: (member: SdkMember) => MemberWords;
  /** All names that the declaration of a type is written in, as words for memories. */
  declarationWords: (type: NamedType) => string;
}

/** Plans the SDK of a model. */
export function csharpSdk(model: SdkModel): CsharpSdk {
  const names = planNames(model);
  const texts = new TypeTexts(model, names);
  const { types, fields, values } = names;
  const typeNames = { types, parts: [fields, values] };
  const reachWords = createReachWords(model.types, typeNames);
  return {
    model,
    callable: callableMembers(model),
    package: packageNames(model),
    names,
    texts,
    samples: new SampleValues(texts, reachWords),
    memberWords: createMemberWords(names, reachWords),
    declarationWords: createDeclarationWords(typeNames),
  };
}

/** What the methods of a member are called after: `Tokenize` of `TokenizeAsync`; undefined when the SDK cannot call it yet. */
export function callName({ names }: CsharpSdk, member: SdkMember): string | undefined {
  return isCallable(member) ? names.calls.get(member.alias) : undefined;
}
