import type { SdkMember } from '../model/sdk-model.ts';
import { typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { callName } from './java-sdk.ts';
import { assignment } from './statements.ts';

/** Statements, and the simple names of the types that they name. */
export interface CallProgram {
  statements: string[];
  types: ReadonlySet<string>;
}

/** The statements that make a client, call a member with its sample, and print the output. */
export function callProgram(sdk: JavaSdk, member: SdkMember): CallProgram {
  const { place, samples, texts } = sdk;
  const input = `${texts.ofRoot(member.input).boxed} input`;
  const sample = samples.ofRoot(member.input, member.sample);
  const client = assignment(`${place.clientClass} client`, `${place.clientClass}.create()`, 4);
  const output = `${texts.ofRoot(member.output).boxed} output = client.${callName(sdk, member) ?? ''}(input);`;
  return {
    statements: [client, assignment(input, sample.expression, 4), output, 'System.out.println(output);'],
    types: new Set([...typesIn([client, input, output], sdk.ownTypes), ...sample.types]),
  };
}
