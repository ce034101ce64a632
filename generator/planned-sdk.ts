import type { SdkMember, SdkModel } from './model/sdk-model.ts';

/** A model with the names, types and samples that a language planned for it: the input of every view. */
export interface PlannedSdk<Names, Types, Samples> {
  model: SdkModel;
  /** The members that this release of the generator has methods for: all except streaming ones. */
  callable: readonly SdkMember[];
  names: Names;
  texts: Types;
  samples: Samples;
}
