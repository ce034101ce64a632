import type { SdkMember } from '../model/sdk-model.ts';
import { importsOf } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { callName } from './java-sdk.ts';
import { callStatements } from './program.ts';

/** The smallest program that calls a member; a remark for a member that cannot be called yet. */
export function snippet(sdk: JavaSdk, member: SdkMember): string {
  if (callName(sdk, member) === undefined) return '// This release has no call for this member yet.\n';
  const statements = callStatements(sdk, member);
  return [
    ...importsOf(statements, sdk.place.packageName, sdk.ownTypes).map((name) => `import ${name};`),
    '',
    'public final class Main {',
    '  public static void main(String[] arguments) {',
    ...statements.map((line) => `    ${line}`),
    '  }',
    '}',
    '',
  ].join('\n');
}
