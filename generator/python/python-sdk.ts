import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
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
}

const sdks = new WeakMap<SdkModel, PythonSdk>();

/** Plans a model once, however often it is asked for. */
export function pythonSdk(model: SdkModel): PythonSdk {
  const known = sdks.get(model);
  if (known) return known;
  const names = planNames(model);
  const texts = new TypeTexts(model, names);
  const callable = model.members.filter(isCallable);
  const sdk = { model, callable, names, texts, samples: new SampleValues(texts) };
  sdks.set(model, sdk);
  return sdk;
}

/** Name of the method that calls a member; undefined when the SDK cannot call it yet. */
export function callName({ names }: PythonSdk, member: SdkMember): string | undefined {
  return isCallable(member) ? names.calls.get(member.alias) : undefined;
}

function isCallable({ mode }: SdkMember): boolean {
  return mode === 'unary';
}
