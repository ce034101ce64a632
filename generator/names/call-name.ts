import { isCallable } from '../model/callable-members.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import type { MethodNames } from './plan-methods.ts';

/** Name of the method that calls a member; undefined if the SDK cannot call it yet. */
export function callName(
  { names }: { names: Pick<MethodNames, 'calls'> },
  member: SdkMember,
): string | undefined {
  return isCallable(member) ? names.calls.get(member.alias) : undefined;
}
