import type { SdkMember } from '../model/sdk-model.ts';
import type { JavaSdk } from './java-sdk.ts';
import { callName } from './java-sdk.ts';
import { assignment } from './statements.ts';

/** The statements that make a client, call a member with its sample, and print the output. */
export function callStatements(sdk: JavaSdk, member: SdkMember): string[] {
  const { place } = sdk;
  return [
    assignment(`${place.clientClass} client`, `${place.clientClass}.create()`, 4),
    inputStatement(sdk, member, 4),
    `${sdk.texts.ofRoot(member.output).boxed} output = client.${callName(sdk, member) ?? ''}(input);`,
    'System.out.println(output);',
  ];
}

/** `TokenizeRequest input = TokenizeRequest.builder()...;` */
export function inputStatement({ samples, texts }: JavaSdk, member: SdkMember, indent: number): string {
  const { boxed } = texts.ofRoot(member.input);
  return assignment(`${boxed} input`, samples.ofRoot(member.input, member.sample), indent);
}
