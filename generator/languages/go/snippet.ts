import type { SdkMember } from '../../model/sdk-model.ts';
import type { GoSdk } from './go-sdk.ts';
import { callStatements, importLines, sdkImports } from './program.ts';

/** Returns the smallest program that calls a member. */
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
