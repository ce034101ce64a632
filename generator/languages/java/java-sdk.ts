import type { SdkModel } from '../../model/sdk-model.ts';
import type { PlannedSdk } from '../../planned-sdk.ts';
import type { PackageNames } from './package-names.ts';
import { packageNames } from './package-names.ts';
import type { JavaNames } from './plan-names.ts';
import { planNames } from './plan-names.ts';
import { SampleValues } from './sample-values.ts';
import { TypeTexts } from './type-texts.ts';

/** A planned SDK in Java. */
export interface JavaSdk extends PlannedSdk<JavaNames, TypeTexts, SampleValues> {
  place: PackageNames;
  /** Simple names of the classes of the archive's own package. */
  ownTypes: ReadonlySet<string>;
}

/** Plans the SDK of a model. */
export function javaSdk(model: SdkModel): JavaSdk {
  const place = packageNames(model);
  const names = planNames(model, place);
  const texts = new TypeTexts(model, names);
  return {
    model,
    place,
    names,
    texts,
    samples: new SampleValues(texts),
    ownTypes: new Set([...texts.typeNames, place.clientClass]),
  };
}
