import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import type { PackageNames } from './package-names.ts';
import { packageNames } from './package-names.ts';
import type { JavaNames } from './plan-names.ts';
import { planNames } from './plan-names.ts';
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
  /** Simple names of the classes of the archive's own package. */
  ownTypes: ReadonlySet<string>;
}

const sdks = new WeakMap<SdkModel, JavaSdk>();

/** Plans a model once, however often it is asked for. */
export function javaSdk(model: SdkModel): JavaSdk {
  const known = sdks.get(model);
  if (known) return known;
  const place = packageNames(model);
  const names = planNames(model, place);
  const texts = new TypeTexts(model, names);
  const sdk = {
    model,
    callable: model.members.filter(isCallable),
    place,
    names,
    texts,
    samples: new SampleValues(texts),
    ownTypes: new Set([...names.types.values(), place.clientClass]),
  };
  sdks.set(model, sdk);
  return sdk;
}

/** Name of the method that calls a member; undefined when the SDK cannot call it yet. */
export function callName({ names }: JavaSdk, member: SdkMember): string | undefined {
  return isCallable(member) ? names.calls.get(member.alias) : undefined;
}

function isCallable({ mode }: SdkMember): boolean {
  return mode === 'unary';
}
