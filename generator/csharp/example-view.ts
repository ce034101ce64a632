import type { FileView } from '../language.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { callName } from './csharp-sdk.ts';
import { importsOf, inputStatement } from './program.ts';

/** Folder of a member's program in the archive. */
export function exampleFolder({ names }: CsharpSdk, alias: string): string {
  return `examples/${names.examples.get(alias) ?? ''}`;
}

/** The program in `examples/` that calls one member, and its project (SDK.md, The archive). */
export function exampleFiles(sdk: CsharpSdk, member: SdkMember): FileView[] {
  const folder = exampleFolder(sdk, member.alias);
  const input = inputStatement(sdk, member);
  const sample = input.slice(input.indexOf(' = ') + ' = '.length, -1);
  return [
    {
      path: `${folder}/Program.cs`,
      template: 'examples/Program.cs',
      view: {
        name: callName(sdk, member) ?? '',
        imports: importsOf(sdk, member),
        inputType: sdk.texts.ofRoot(member.input).type,
        input: sample,
        read: reader(sdk, member.input),
        print: printer(sdk, member.output),
      },
    },
    {
      path: `${folder}/Example.csproj`,
      template: 'examples/Example.csproj',
      view: { namespace: sdk.package.namespace },
    },
  ];
}

/** How a program reads the type from ProtoJSON: `Text.FromJson`. */
function reader({ texts }: CsharpSdk, fullName: string): string {
  const { type, codec } = texts.ofRoot(fullName);
  return texts.rootType(fullName).kind === 'message' ? `${type}.FromJson` : `${codec}.Parse`;
}

function printer({ texts }: CsharpSdk, fullName: string): string {
  const { codec } = texts.ofRoot(fullName);
  return texts.rootType(fullName).kind === 'message' ? 'output.ToJson()' : `${codec}.Format(output)`;
}
