import type { SdkModel } from '../../model/sdk-model.ts';
import type { PlannedSdk } from '../../planned-sdk.ts';
import type { PackageNames } from './package-names.ts';
import { packageNames } from './package-names.ts';
import type { CsharpNames } from './plan-names.ts';
import { planNames } from './plan-names.ts';
import { SampleValues } from './sample-values.ts';
import { TypeTexts } from './type-texts.ts';

/** A planned SDK in C#. */
export interface CsharpSdk extends PlannedSdk<CsharpNames, TypeTexts, SampleValues> {
  package: PackageNames;
}

/** Plans the SDK of a model. */
export function csharpSdk(model: SdkModel): CsharpSdk {
  const names = planNames(model);
  const texts = new TypeTexts(model, names);
  return {
    model,
    package: packageNames(model),
    names,
    texts,
    samples: new SampleValues(texts),
  };
}
