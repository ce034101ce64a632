import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import { typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { assignment, resourceHead } from './statements.ts';

/** Statements, and the simple names of the types that they use. */
interface CallProgram {
  statements: string[];
  types: ReadonlySet<string>;
}

/** Returns the statements that create a client, call a member with its sample, and print the output. */
export function callProgram(sdk: JavaSdk, member: SdkMember): CallProgram {
  const { place, samples, texts } = sdk;
  const input = `${texts.ofRoot(member.input).boxed} input`;
  const sample = samples.ofRoot(member.input, member.sample);
  const output = texts.ofRoot(member.output).boxed;
  const call = `client.${callName(sdk, member)}`;
  const print =
    member.mode === 'pipeline'
      ? streamed(output, call, 'System.out.println(output);', 4)
      : [`${output} output = ${call}(input);`, 'System.out.println(output);'];
  return {
    statements: [
      assignment(`${place.clientClass} client`, `${place.clientClass}.create()`, 4),
      assignment(input, sample.expression, 4),
      ...print,
    ],
    types: new Set([place.clientClass, ...typesIn([input, ...print], sdk.ownTypes), ...sample.types]),
  };
}

/** Returns the lines of a loop over a stream, each but the first relative to it. */
export function streamed(output: string, call: string, statement: string, indent: number): string[] {
  return [
    resourceHead(`FrameStream<${output}> outputs`, { callee: call, args: ['input'] }, indent),
    `  for (${output} output : outputs) {`,
    `    ${statement}`,
    '  }',
    '}',
  ];
}
