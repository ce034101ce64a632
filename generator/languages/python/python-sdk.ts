import type { SdkModel } from '../../model/sdk-model.ts';
import type { PlannedSdk } from '../../planned-sdk.ts';
import type { PythonNames } from './plan-names.ts';
import { planNames } from './plan-names.ts';
import { SampleValues } from './sample-values.ts';
import { TypeTexts } from './type-texts.ts';

/** A planned SDK in Python. */
export type PythonSdk = PlannedSdk<PythonNames, TypeTexts, SampleValues>;

/** Plans the SDK of a model. */
export function pythonSdk(model: SdkModel): PythonSdk {
  const names = planNames(model);
  const texts = new TypeTexts(model, names);
  return {
    model,
    names,
    texts,
    samples: new SampleValues(texts),
  };
}
