import type { SdkModel } from '../../model/sdk-model.ts';
import type { PlannedSdk } from '../../planned-sdk.ts';
import type { ModuleNames } from './module-names.ts';
import { moduleNames } from './module-names.ts';
import type { GoNames } from './plan-names.ts';
import { planNames } from './plan-names.ts';
import { SampleValues } from './sample-values.ts';
import { TypeTexts } from './type-texts.ts';

/** A planned SDK in Go. */
export interface GoSdk extends PlannedSdk<GoNames, TypeTexts, SampleValues> {
  module: ModuleNames;
}

/** Plans the SDK of a model. */
export function goSdk(model: SdkModel): GoSdk {
  const names = planNames(model);
  const module = moduleNames(model);
  const texts = new TypeTexts(model, names);
  return {
    model,
    module,
    names,
    texts,
    samples: new SampleValues(model, texts, `${module.packageName}.`),
  };
}
