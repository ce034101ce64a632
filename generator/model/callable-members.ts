import type { SdkMember, SdkModel } from './sdk-model.ts';

/** The members that have a method in languages without streams, in the order of the model. */
export function callableMembers({ members }: SdkModel): SdkMember[] {
  return members.filter(({ mode }) => mode === 'unary');
}

/** Members in the order in which the tenant added them: READMEs show the first one first. */
export function inOrderAdded({ order }: SdkModel, members: readonly SdkMember[]): SdkMember[] {
  const places = new Map(order.map((alias, index) => [alias, index]));
  const placeOf = ({ alias }: SdkMember): number => places.get(alias) ?? order.length;
  return members.toSorted((a, b) => placeOf(a) - placeOf(b));
}
