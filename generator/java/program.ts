import type { SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { callName } from './java-sdk.ts';
import type { SampleValue } from './sample-values.ts';
import { assignment, statement } from './statements.ts';

/** Statements, and the simple names of the types that they name. */
export interface CallProgram {
  statements: string[];
  types: ReadonlySet<string>;
}

/** The statements that make a client, call a member with its sample, and print the output. */
export function callProgram(sdk: JavaSdk, member: SdkMember): CallProgram {
  const { clientClass } = sdk.place;
  const call = calls.recall(member, sdk.memberWords(member).program, () => callOf(sdk, member));
  const client = assignment(`${clientClass} client`, `${clientClass}.create()`, 4);
  return { statements: [client, ...call.statements], types: new Set([clientClass, ...call.types]) };
}

/** What comes behind the client, whatever that is called. */
const calls = createMemory<SdkMember, CallProgram>();

function callOf(sdk: JavaSdk, member: SdkMember): CallProgram {
  const { samples, texts } = sdk;
  const input = `${texts.ofRoot(member.input).boxed} input`;
  const sample = samples.ofRoot(member.input, member.sample);
  const output = `${texts.ofRoot(member.output).boxed} output = client.${callName(sdk, member) ?? ''}(input);`;
  return {
    statements: [inputStatement(input, sample), output, 'System.out.println(output);'],
    types: new Set([...typesIn([input, output], sdk.ownTypes), ...sample.types]),
  };
}

/** The statements that show a sample, by what stands before it: programs of every client hold them. */
const sampleStatements = createMemory<SampleValue, string>();

/** `TokenizeRequest input = TokenizeRequest.builder()...;` */
function inputStatement(input: string, sample: SampleValue): string {
  return sampleStatements.recall(sample, input, () => assignment(input, sample.expression, 4));
}

/** `return TokenizeRequest.builder()...;` */
export function returnStatement(sample: SampleValue): string {
  return sampleStatements.recall(sample, 'return', () => statement(sample.expression, 4, 'return '));
}
