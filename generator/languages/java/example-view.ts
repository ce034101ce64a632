import type { FileView } from '../../language.ts';
import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import { docComment, markup } from './doc-comment.ts';
import { fullNames, typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { newLine } from './layout.ts';
import { streamed } from './program.ts';
import { assignment, methodHead, statement } from './statements.ts';

/** Returns the path of a member's program in the archive. */
function examplePath({ names }: JavaSdk, alias: string): string {
  return `examples/${names.examples.get(alias) ?? ''}.java`;
}

/**
 * Returns the shell command that runs a member's program from the classes that the setup compiled. Command-line text is
 * UTF-8.
 */
export function exampleCommand(sdk: JavaSdk, alias: string): string {
  return `LC_ALL=C.UTF-8 java --class-path target/classes ${examplePath(sdk, alias)}`;
}

/** Returns the statements that call a member and print its output. */
function callLines({ texts }: JavaSdk, member: SdkMember, call: string): string[] {
  const output = texts.ofRoot(member.output).boxed;
  const isStream = member.mode === 'pipeline';
  const json = texts.rootToJson(member.output, 'output');
  const print = statement({ callee: 'out.println', args: [json] }, isStream ? 10 : 6);
  return isStream
    ? streamed(output, `client.${call}`, print, 6)
    : [assignment(`${output} output`, { callee: `client.${call}`, args: ['input'] }, 6), print];
}

/** Returns the program in `examples/` that calls one member. */
export function exampleFile(sdk: JavaSdk, member: SdkMember): FileView {
  const { names, place, samples, texts } = sdk;
  const { clientClass, packageName } = place;
  const call = callName(sdk, member);
  const input = texts.ofRoot(member.input).boxed;
  const lines = {
    input: assignment(
      `${input} input`,
      {
        condition: 'arguments.length == 0',
        yes: 'sample()',
        no: { callee: `${texts.rootReader(member.input)}.fromStrictJson`, args: ['arguments[0]'] },
      },
      6,
    ),
    calls: callLines(sdk, member, call).join(newLine(6)),
    sampleHead: methodHead(`private static ${input}`, 'sample', [], 2),
  };
  const sample = samples.ofRoot(member.input, member.sample);
  const code = ['PrintStream StandardCharsets SvcException', ...Object.values(lines)];
  const types = new Set([...typesIn(code, sdk.ownTypes), ...sample.types, clientClass]);
  return {
    path: examplePath(sdk, member.alias),
    template: 'examples/Example.java',
    view: {
      imports: fullNames(types, packageName),
      client: assignment(`${clientClass} client`, `${clientClass}.create()`, 6),
      comment: docComment({
        paragraphs: [
          markup(`Calls {@code ${call}} once and prints the output.`),
          markup(
            'The first argument is the input as ProtoJSON; without it, the program sends a sample. {@code SVC_API_KEY} contains the key, {@code SVC_BASE_URL} the address of the service.',
          ),
        ],
      }),
      name: names.examples.get(member.alias) ?? '',
      ...lines,
      sample: statement(sample.expression, 4, 'return '),
    },
  };
}
