import type { SdkMember } from '../model/sdk-model.ts';
import type { MethodNames } from './plan-methods.ts';

/** Returns the name of the method that calls a member of the planned model. */
export function callName(
  { names }: { names: Pick<MethodNames, 'calls'> },
  { alias }: Pick<SdkMember, 'alias'>,
): string {
  const name = names.calls.get(alias);
  if (name === undefined) throw new Error(`no method is planned for the member ${alias}`);
  return name;
}
