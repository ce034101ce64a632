import type { SdkModel } from './model/sdk-model.ts';

/** A model with the names, types and samples that a language planned for it: the input of every view. */
export interface PlannedSdk<Names, Types, Samples> {
  model: SdkModel;
  names: Names;
  texts: Types;
  samples: Samples;
}
