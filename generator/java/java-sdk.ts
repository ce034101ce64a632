import { callableMembers, isCallable } from '../model/callable-members.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import type { NamedType } from '../model/type-reach.ts';
import type { PackageNames } from './package-names.ts';
import { packageNames } from './package-names.ts';
import type { JavaNames } from './plan-names.ts';
import { planNames } from './plan-names.ts';
import { createMemberWords, type MemberWords } from '../names/member-words.ts';
import { createDeclarationWords, createReachWords } from '../names/reach-words.ts';
import { SampleValues } from './sample-values.ts';
import { TypeTexts } from './type-texts.ts';

/** One model in the words of Java: what every view is made from. */
export interface JavaSdk {
  model: SdkModel;
  /** The members that this version of the generator gives a method: all but those that stream. */
  callable: readonly SdkMember[];
  place: PackageNames;
  names: JavaNames;
  texts: TypeTexts;
  samples: SampleValues;
  /** All names that what is printed of a member is written in, as words for memories. */
  memberWords: (member: SdkMember) => MemberWords;
  /** All names that the declaration of a type is written in, as words for memories. */
  declarationWords: (type: NamedType) => string;
  /** Simple names of the classes of the archive's own package. */
  ownTypes: ReadonlySet<string>;
}

/** Plans the SDK of a model. */
export function javaSdk(model: SdkModel): JavaSdk {
  const place = packageNames(model);
  const names = planNames(model, place);
  const texts = new TypeTexts(model, names);
  const { types, fields, values } = names;
  const typeNames = { types, parts: [fields, values] };
  const reachWords = createReachWords(model.types, typeNames);
  return {
    model,
    callable: callableMembers(model),
    place,
    names,
    texts,
    samples: new SampleValues(texts, reachWords),
    memberWords: createMemberWords(names, reachWords),
    declarationWords: createDeclarationWords(typeNames),
    ownTypes: new Set([...texts.typeNames, place.clientClass]),
  };
}

/** Name of the method that calls a member; undefined when the SDK cannot call it yet. */
export function callName({ names }: JavaSdk, member: SdkMember): string | undefined {
  return isCallable(member) ? names.calls.get(member.alias) : undefined;
}
