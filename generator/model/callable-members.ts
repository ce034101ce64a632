import type { SdkMember, SdkModel } from './sdk-model.ts';

/** Whether this release of the generator gives a member a method: all except streaming ones. */
export function isCallable({ mode }: SdkMember): boolean {
  return mode === 'unary';
}

/** The members that have a method, in the order of the model. */
export function callableMembers({ members }: SdkModel): SdkMember[] {
  return members.filter(isCallable);
}
