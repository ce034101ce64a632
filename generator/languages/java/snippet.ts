import type { SdkMember } from '../../model/sdk-model.ts';
import { fullNames } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { callProgram } from './program.ts';

/** Returns the smallest program that calls a member. */
export function snippet(sdk: JavaSdk, member: SdkMember): string {
  const { statements, types } = callProgram(sdk, member);
  return [
    ...fullNames(types, sdk.place.packageName).map((name) => `import ${name};`),
    '',
    'public final class Main {',
    '  public static void main(String[] arguments) {',
    ...statements.map((line) => `    ${line}`),
    '  }',
    '}',
    '',
  ].join('\n');
}
