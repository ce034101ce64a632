import type { SdkMember, SdkModel } from './sdk-model.ts';

/** Whether this version of the generator gives a member a method: all have one but those that stream. */
export function isCallable({ mode }: SdkMember): boolean {
  return mode === 'unary';
}

/** The members that have a method, in the order of the model. */
export function callableMembers({ members }: SdkModel): SdkMember[] {
  return members.filter(isCallable);
}
