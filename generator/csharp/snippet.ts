import type { SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { callName } from './csharp-sdk.ts';
import { importsOf, inputStatement } from './program.ts';

/** The smallest program that calls a member; a remark for a member that cannot be called yet. */
export function snippet(sdk: CsharpSdk, member: SdkMember): string {
  const name = callName(sdk, member);
  if (name === undefined) return '// This release has no call for this member yet.\n';
  const words = sdk.memberWords(member).program;
  return snippets.recall(member, words && `${sdk.package.namespace} ${words}`, () =>
    program(sdk, member, name),
  );
}

const snippets = createMemory<SdkMember, string>();

function program(sdk: CsharpSdk, member: SdkMember, name: string): string {
  return [
    ...importsOf(sdk, member).map((namespace) => `using ${namespace};`),
    '',
    'using var client = new Client();',
    inputStatement(sdk, member),
    `var output = await client.${name}Async(input);`,
    'Console.WriteLine(output);',
    '',
  ].join('\n');
}
