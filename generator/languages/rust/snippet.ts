import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import { printAwait, printLoop } from './lines.ts';
import { program } from './program.ts';
import type { RustSdk } from './rust-sdk.ts';

/** Returns the smallest program that calls a member. */
export function snippet(sdk: RustSdk, member: SdkMember): string {
  const call = `${callName(sdk, member)}(&input)`;
  const body =
    member.mode === 'pipeline'
      ? [printLoop(call, '"{:?}", output?')]
      : [printAwait(call), '    println!("{output:?}");'];
  return program(sdk, { member }, body);
}
