import type { SdkModel } from '../../model/sdk-model.ts';
import type { PlannedSdk } from '../../planned-sdk.ts';
import type { RustNames } from './plan-names.ts';
import { planNames } from './plan-names.ts';
import { SamplePrograms } from './sample-program.ts';
import { TypeTexts } from './type-texts.ts';

/** A planned SDK in Rust. */
export type RustSdk = PlannedSdk<RustNames, TypeTexts, SamplePrograms>;

/** Plans the SDK of a model. */
export function rustSdk(model: SdkModel): RustSdk {
  const names = planNames(model);
  const texts = new TypeTexts(model, names);
  return { model, names, texts, samples: new SamplePrograms(texts) };
}
