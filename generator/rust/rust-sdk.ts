import { callableMembers, isCallable } from '../model/callable-members.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import { createPrintedAs } from './member-identity.ts';
import type { PrintedAs } from './member-identity.ts';
import type { RustNames } from './plan-names.ts';
import { planNames } from './plan-names.ts';
import { SamplePrograms } from './sample-program.ts';
import { TypeTexts } from './type-texts.ts';

/** One model in the words of Rust: what every view is made from. */
export interface RustSdk {
  model: SdkModel;
  /** The members that this version of the generator gives a method: all but those that stream. */
  callable: readonly SdkMember[];
  names: RustNames;
  texts: TypeTexts;
  samples: SamplePrograms;
  printedAs: PrintedAs;
}

/** Plans the SDK of a model. */
export function rustSdk(model: SdkModel): RustSdk {
  const names = planNames(model);
  const callable = callableMembers(model);
  const texts = new TypeTexts(model, names);
  const printedAs = createPrintedAs(model, names);
  return { model, callable, names, texts, samples: new SamplePrograms(texts, printedAs), printedAs };
}

/** Name of the method that calls a member; undefined when the SDK cannot call it yet. */
export function callName({ names }: RustSdk, member: SdkMember): string | undefined {
  return isCallable(member) ? names.calls.get(member.alias) : undefined;
}

/** Path of a call beneath the base URL (SPEC.md). */
export function callPath(member: SdkMember): string {
  if (member.type === 'flow') return '/invocations/v1/flows/invoke';
  const { pin } = member;
  const segments = [...pin.package.split('/'), pin.version, pin.node].map(encodeURIComponent);
  return `/invocations/v1/nodes/${segments.join('/')}`;
}
