import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import { typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { assignment } from './statements.ts';

/** Statements, and the simple names of the types that they name. */
interface CallProgram {
  statements: string[];
  types: ReadonlySet<string>;
}

/** The statements that make a client, call a member with its sample, and print the output. */
export function callProgram(sdk: JavaSdk, member: SdkMember): CallProgram {
  const { place, samples, texts } = sdk;
  const input = `${texts.ofRoot(member.input).boxed} input`;
  const sample = samples.ofRoot(member.input, member.sample);
  const output = `${texts.ofRoot(member.output).boxed} output = client.${callName(sdk, member) ?? ''}(input);`;
  return {
    statements: [
      assignment(`${place.clientClass} client`, `${place.clientClass}.create()`, 4),
      assignment(input, sample.expression, 4),
      output,
      'System.out.println(output);',
    ],
    types: new Set([place.clientClass, ...typesIn([input, output], sdk.ownTypes), ...sample.types]),
  };
}
