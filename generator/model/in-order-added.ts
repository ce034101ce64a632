import type { SdkMember, SdkModel } from './sdk-model.ts';

/** Returns the members in the order in which the tenant added them: READMEs show the first one first. */
export function inOrderAdded({ order, members }: SdkModel): SdkMember[] {
  const places = new Map(order.map((alias, index) => [alias, index]));
  const placeOf = ({ alias }: SdkMember): number => places.get(alias) ?? order.length;
  return members.toSorted((a, b) => placeOf(a) - placeOf(b));
}
