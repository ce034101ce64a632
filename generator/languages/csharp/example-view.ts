import type { FileView } from '../../language.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { printOf, readerOf } from './json-calls.ts';
import { importsOf, inputText } from './program.ts';

/** Returns the folder of a member's program in the archive. */
export function exampleFolder({ names }: CsharpSdk, alias: string): string {
  return `examples/${names.examples.get(alias) ?? ''}`;
}

/** Returns the program in `examples/` that calls one member, and its project. */
export function exampleFiles(sdk: CsharpSdk, member: SdkMember): FileView[] {
  const folder = exampleFolder(sdk, member.alias);
  return [
    {
      path: `${folder}/Program.cs`,
      template: 'examples/Program.cs',
      view: {
        name: callName(sdk, member),
        client: sdk.package.client,
        imports: importsOf(sdk, member),
        inputType: sdk.texts.ofRoot(member.input).type,
        input: inputText(sdk, member, 1, 'return '.length),
        read: readerOf(sdk.texts, member.input, { strict: true }),
        print: printOf(sdk.texts, member.output, 'output'),
        isStream: member.mode === 'pipeline',
      },
    },
    {
      path: `${folder}/Example.csproj`,
      template: 'examples/Example.csproj',
      view: { id: sdk.package.id },
    },
  ];
}
