import type { SdkModel } from '../../model/sdk-model.ts';
import { foldLines } from '../../text/fold-lines.ts';
import { showInvisible } from '../../text/show-invisible.ts';

/** Tests of the runtime that the packages of all platforms have, without `.test.ts`. */
export const runtimeTests: readonly string[] = [
  'client',
  'configuration',
  'deadlines',
  'errors',
  'executions',
  'flows',
  'input-types',
  'protojson',
  'redaction',
  'retries',
  'tokens',
];

/**
 * View of `package.json` and its lock file.
 * @param tests names of the test files without `.test.ts`; listed individually, because runners treat folders differently.
 */
export function packageView(model: SdkModel, packageName: string, tests: readonly string[]): object {
  const { name, description } = model.client;
  const said = showInvisible(foldLines(description === '' ? name : description));
  return {
    name: JSON.stringify(packageName),
    version: JSON.stringify(model.semver),
    description: JSON.stringify(said),
    testFiles: tests.map((test) => `build/test/${test}.test.js`).join(' '),
  };
}
