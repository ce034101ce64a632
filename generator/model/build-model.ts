import { buildSurface, type MemberSource } from './build-surface.ts';
import type { SdkModel } from './sdk-model.ts';

/** The frozen content of a client version. */
interface ModelSource extends Omit<SdkModel, 'order' | keyof ReturnType<typeof buildSurface>> {
  /** In the order in which the tenant added them. */
  members: readonly MemberSource[];
}

/** Builds the model of a client version: everything that its archives are made from. */
export function buildModel({ members, ...release }: ModelSource): SdkModel {
  return { ...release, ...buildSurface(members), order: members.map(({ alias }) => alias) };
}
