import type { FileView } from '../language.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { docComment, markup } from './doc-comment.ts';
import { fullNames, typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { callName } from './java-sdk.ts';
import { returnStatement } from './program.ts';
import { assignment, methodHead, statement } from './statements.ts';

/** Path of a member's program in the archive. */
export function examplePath({ names }: JavaSdk, alias: string): string {
  return `examples/${names.examples.get(alias) ?? ''}.java`;
}

/** Shell command that runs it: from the classes that the setup compiled; texts of the command line are UTF-8. */
export function exampleCommand(sdk: JavaSdk, alias: string): string {
  return `LC_ALL=C.UTF-8 java --class-path target/classes ${examplePath(sdk, alias)}`;
}

/** The program in `examples/` that calls one member (SDK.md, The archive). */
export function exampleFile(sdk: JavaSdk, member: SdkMember): FileView {
  const { packageName, clientClass } = sdk.place;
  const program = programs.recall(member, sdk.memberWords(member).program, () => programOf(sdk, member));
  return files.recall(program, `${packageName} ${clientClass}`, () => ({
    path: program.path,
    template: 'examples/Example.java',
    view: {
      ...program.view,
      imports: fullNames([...program.types, clientClass], packageName),
      client: assignment(`${clientClass} client`, `${clientClass}.create()`, 6),
    },
  }));
}

/** The program in whatever package. */
interface ExampleProgram {
  path: string;
  /** Simple names of the types that it names, but that of the client. */
  types: ReadonlySet<string>;
  view: object;
}

const programs = createMemory<SdkMember, ExampleProgram>();

/** By the package and the class of the client. */
const files = createMemory<ExampleProgram, FileView>();

function programOf(sdk: JavaSdk, member: SdkMember): ExampleProgram {
  const { names, samples, texts } = sdk;
  const call = callName(sdk, member) ?? '';
  const input = texts.ofRoot(member.input).boxed;
  const output = texts.ofRoot(member.output).boxed;
  const lines = {
    input: assignment(
      `${input} input`,
      {
        condition: 'arguments.length == 0',
        yes: 'sample()',
        no: texts.rootFromJson(member.input, 'arguments[0]'),
      },
      6,
    ),
    output: assignment(`${output} output`, { callee: `client.${call}`, args: ['input'] }, 6),
    print: statement({ callee: 'out.println', args: [texts.rootToJson(member.output, 'output')] }, 6),
    sampleHead: methodHead(`private static ${input}`, 'sample', [], 2),
  };
  const sample = samples.ofRoot(member.input, member.sample);
  const code = ['PrintStream StandardCharsets SvcException', ...Object.values(lines)];
  return {
    path: examplePath(sdk, member.alias),
    types: new Set([...typesIn(code, sdk.ownTypes), ...sample.types]),
    view: {
      comment: docComment({
        paragraphs: [
          markup(`Calls {@code ${call}} once and prints the output.`),
          markup(
            'The input is the first argument, as ProtoJSON, or a sample without one. The key is taken from {@code SVC_API_KEY}, the address of the service from {@code SVC_BASE_URL}.',
          ),
        ],
      }),
      name: names.examples.get(member.alias) ?? '',
      ...lines,
      sample: returnStatement(sample),
    },
  };
}
