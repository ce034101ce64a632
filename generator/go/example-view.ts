import type { FileView } from '../language.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { deprecation, docComment } from './doc-comment.ts';
import type { GoSdk } from './go-sdk.ts';
import { callName } from './go-sdk.ts';
import { importLines, sdkImports } from './program.ts';

/** Folder of a member's program in the archive. */
export function exampleFolder({ names }: GoSdk, alias: string): string {
  return `examples/${names.examples.get(alias) ?? ''}`;
}

/** What the program in `examples/` that calls a member says of itself. */
export function exampleComment({ names }: GoSdk, { alias }: SdkMember): string {
  return docComment([
    `Command ${names.examples.get(alias) ?? ''} calls ${names.calls.get(alias) ?? ''} once and prints the output.`,
    'The input is the first argument, as ProtoJSON, or a sample without one. The key is taken from SVC_API_KEY, the address of the service from SVC_BASE_URL.',
  ]);
}

/** That program (SDK.md, The archive). */
export function exampleFile(sdk: GoSdk, member: SdkMember, comment: string): FileView {
  const { module, samples, texts } = sdk;
  const name = callName(sdk, member) ?? '';
  const within = `${module.packageName}.`;
  const { text, usesTime, usesDeprecated } = samples.ofRoot(member.input, member.sample);
  const standard = ['context', 'errors', 'fmt', 'os', ...(usesTime ? ['time'] : [])];
  return {
    path: `${exampleFolder(sdk, member.alias)}/main.go`,
    template: 'examples/main.go',
    view: {
      comment,
      runComment: docComment([
        'run makes the call and prints its output.',
        ...(usesDeprecated || callsDeprecated(sdk, member) ? [deprecation] : []),
      ]),
      imports: importLines(standard, sdkImports(sdk, { usesSvc: true })),
      packageName: module.packageName,
      input: text,
      inputCodec: texts.ofRoot(member.input, within).codec,
      outputCodec: texts.ofRoot(member.output, within).codec,
      name,
    },
  };
}

/** Whether a call takes or gives what is deprecated: its program is then deprecated itself, which linters take for a reason. */
function callsDeprecated({ model }: GoSdk, { input, output }: SdkMember): boolean {
  return [...model.types.messages, ...model.types.enums].some(
    ({ deprecated, fullName }) => deprecated && (fullName === input || fullName === output),
  );
}
