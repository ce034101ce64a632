import { buildSurface, type MemberSource } from './build-surface.ts';
import type { SdkModel } from './sdk-model.ts';

/** A client version as it was frozen. */
interface ModelSource extends Omit<SdkModel, keyof ReturnType<typeof buildSurface>> {
  members: readonly MemberSource[];
}

/** The model of a client version: all that its archives are made from. The order of members does not matter. */
export function buildModel({ members, ...release }: ModelSource): SdkModel {
  return { ...release, ...buildSurface(members) };
}
