import type { SdkMember, SdkModel } from './sdk-model.ts';

/** Whether this release of the generator gives a member a method: all except streaming ones. */
export function isCallable({ mode }: SdkMember): boolean {
  return mode === 'unary';
}

/** The members that have a method, in the order of the model. */
export function callableMembers({ members }: SdkModel): SdkMember[] {
  return members.filter(isCallable);
}

/** Members in the order in which the tenant added them: READMEs show the first one first. */
export function inOrderAdded({ order }: SdkModel, members: readonly SdkMember[]): SdkMember[] {
  const places = new Map(order.map((alias, index) => [alias, index]));
  const placeOf = ({ alias }: SdkMember): number => places.get(alias) ?? order.length;
  return members.toSorted((a, b) => placeOf(a) - placeOf(b));
}
