import { buildSurface, type MemberSource } from './build-surface.ts';
import type { SdkModel } from './sdk-model.ts';

/** A client version as it was frozen. */
interface ModelSource extends Omit<SdkModel, 'order' | keyof ReturnType<typeof buildSurface>> {
  /** In the order in which the tenant added them. */
  members: readonly MemberSource[];
}

/** The model of a client version: all that its archives are made from. */
export function buildModel({ members, ...release }: ModelSource): SdkModel {
  return { ...release, ...buildSurface(members), order: members.map(({ alias }) => alias) };
}
