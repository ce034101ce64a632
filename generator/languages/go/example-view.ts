import type { FileView } from '../../language.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import { deprecation } from '../../documents/describe-symbol.ts';
import { docComment } from './doc-comment.ts';
import type { GoSdk } from './go-sdk.ts';
import { importLines, sdkImports } from './program.ts';

/** Returns the folder of a member's program in the archive. */
export function exampleFolder({ names }: GoSdk, alias: string): string {
  return `examples/${names.examples.get(alias) ?? ''}`;
}

function exampleComment({ names }: GoSdk, { alias }: SdkMember): string {
  return docComment([
    `Command ${names.examples.get(alias) ?? ''} calls ${names.calls.get(alias) ?? ''} once and prints the output.`,
    'The first argument is the input as ProtoJSON; without it, the program sends a sample. SVC_API_KEY contains the key, SVC_BASE_URL the address of the service.',
  ]);
}

/** Returns the program in `examples/` that calls a member. */
export function exampleFile(sdk: GoSdk, member: SdkMember): FileView {
  const { module, samples } = sdk;
  const name = callName(sdk, member);
  const { text, usesTime, usesDeprecated } = samples.ofRoot(member.input, member.sample);
  const standard = ['context', 'errors', 'fmt', 'os', ...(usesTime ? ['time'] : [])];
  return {
    path: `${exampleFolder(sdk, member.alias)}/main.go`,
    template: 'examples/main.go',
    view: {
      comment: exampleComment(sdk, member),
      runComment: docComment([
        'run makes the call and prints its output.',
        ...(usesDeprecated || callsDeprecated(sdk, member) ? [deprecation] : []),
      ]),
      imports: importLines(standard, sdkImports(sdk, { usesSvc: true })),
      packageName: module.packageName,
      input: text,
      name,
      isStream: member.mode === 'pipeline',
    },
  };
}

/**
 * Reports whether a call uses a deprecated type: its program is then marked deprecated as well, which satisfies
 * linters.
 */
function callsDeprecated({ model }: GoSdk, { input, output }: SdkMember): boolean {
  return [...model.types.messages, ...model.types.enums].some(
    ({ deprecated, fullName }) => deprecated && (fullName === input || fullName === output),
  );
}
