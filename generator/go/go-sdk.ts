import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import type { ModuleNames } from './module-names.ts';
import { moduleNames } from './module-names.ts';
import type { GoNames } from './plan-names.ts';
import { planNames } from './plan-names.ts';
import { SampleValues } from './sample-values.ts';
import { TypeTexts } from './type-texts.ts';

/** One model in the words of Go: what every view is made from. */
export interface GoSdk {
  model: SdkModel;
  /** The members that this version of the generator gives a method: all but those that stream. */
  callable: readonly SdkMember[];
  module: ModuleNames;
  names: GoNames;
  texts: TypeTexts;
  samples: SampleValues;
}

const sdks = new WeakMap<SdkModel, GoSdk>();

/** Plans a model once, however often it is asked for. */
export function goSdk(model: SdkModel): GoSdk {
  const known = sdks.get(model);
  if (known) return known;
  const names = planNames(model);
  const module = moduleNames(model);
  const texts = new TypeTexts(model, names);
  const samples = new SampleValues(model, texts, `${module.packageName}.`);
  const sdk = { model, callable: model.members.filter(isCallable), module, names, texts, samples };
  sdks.set(model, sdk);
  return sdk;
}

/** Name of the method that calls a member; undefined when the SDK cannot call it yet. */
export function callName({ names }: GoSdk, member: SdkMember): string | undefined {
  return isCallable(member) ? names.calls.get(member.alias) : undefined;
}

function isCallable({ mode }: SdkMember): boolean {
  return mode === 'unary';
}
