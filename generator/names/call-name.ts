import type { SdkMember } from '../model/sdk-model.ts';
import type { MethodNames } from './plan-methods.ts';

/** Name of the method that calls a member; undefined if the SDK cannot call it yet. */
export function callName(
  { names, callable }: { names: Pick<MethodNames, 'calls'>; callable: readonly SdkMember[] },
  member: SdkMember,
): string | undefined {
  return callable.some(({ alias }) => alias === member.alias) ? names.calls.get(member.alias) : undefined;
}
