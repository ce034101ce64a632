import type { SdkMember } from '../model/sdk-model.ts';
import { call, printExpression } from './expressions.ts';
import { importLine } from './import-line.ts';
import type { PythonSdk } from './python-sdk.ts';
import { callName } from './python-sdk.ts';

/** What stands for the program of a member that cannot be called yet. */
export const noSnippet = '# This release has no call for this member yet.\n';

/** The smallest program that calls a member, whatever module it imports. */
export interface Snippet {
  /** What it imports from the module. */
  imports: string[];
  statements: string;
}

/** The program, importing a module. */
export function printSnippet(module: string, { imports, statements }: Snippet): string {
  return `${importLine(module, imports)}\n\n${statements}`;
}

export function snippetOf(sdk: PythonSdk, member: SdkMember): Snippet {
  const name = callName(sdk, member) ?? '';
  const { expression, imports } = sdk.samples.ofRoot(member.input, member.sample);
  const invocation = call(`client.${name}`, [{ value: expression }]);
  const statements = [
    'with Client() as client:',
    `    answer = ${printExpression(invocation, 4, 'answer = '.length, 0)}`,
    'print(answer)',
    '',
  ].join('\n');
  return { imports: ['Client', ...imports], statements };
}
