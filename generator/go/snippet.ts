import type { SdkMember } from '../model/sdk-model.ts';
import type { GoSdk } from './go-sdk.ts';
import { callStatements, importLines, sdkImports } from './program.ts';

/** What stands for the program of a member that cannot be called yet. */
export const noSnippet = '// This release has no call for this member yet.\n';

/** The smallest program that calls a member. */
export function snippet(sdk: GoSdk, member: SdkMember): string {
  const { text, sample } = callStatements(sdk, member);
  const standard = ['context', 'fmt', 'log', ...(sample.usesTime ? ['time'] : [])];
  const imports = importLines(standard, sdkImports(sdk, { usesSvc: sample.usesSvc }));
  return [
    'package main',
    '',
    'import (',
    ...imports.map((line) => (line === '' ? '' : `\t${line}`)),
    ')',
    '',
    'func main() {',
    `\t${text}`,
    '}',
    '',
  ].join('\n');
}
