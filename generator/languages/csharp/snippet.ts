import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { importsOf, inputStatement } from './program.ts';

/** Returns the smallest program that calls a member. */
export function snippet(sdk: CsharpSdk, member: SdkMember): string {
  const name = callName(sdk, member);
  return [
    ...importsOf(sdk, member).map((namespace) => `using ${namespace};`),
    '',
    `using var client = new ${sdk.package.client}();`,
    inputStatement(sdk, member),
    ...(member.mode === 'pipeline'
      ? [
          `await foreach (var output in client.${name}Async(input))`,
          '{',
          '    Console.WriteLine(output);',
          '}',
        ]
      : [`var output = await client.${name}Async(input);`, 'Console.WriteLine(output);']),
    '',
  ].join('\n');
}
