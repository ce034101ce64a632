import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import { call, printExpression } from './expressions.ts';
import { importLine } from './import-line.ts';
import type { PythonSdk } from './python-sdk.ts';

/** The smallest program that calls a member; a comment for a member that cannot be called yet. */
export function snippet(sdk: PythonSdk, member: SdkMember): string {
  const name = callName(sdk, member);
  if (name === undefined) return '# This release has no call for this member yet.\n';
  const { expression, imports } = sdk.samples.ofRoot(member.input, member.sample);
  const invocation = call(`client.${name}`, [{ value: expression }]);
  return [
    importLine(sdk.names.module, ['Client', ...imports]),
    '',
    'with Client() as client:',
    `    answer = ${printExpression(invocation, 4, 'answer = '.length, 0)}`,
    'print(answer)',
    '',
  ].join('\n');
}
