import type { PackageMetadata, SdkModel } from '../../model/sdk-model.ts';
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
  'follow',
  'input-types',
  'pauses',
  'protojson',
  'redaction',
  'retries',
  'streams',
  'tokens',
];

/** Returns the members of `package.json`, each with the comma that follows it. */
function metadataLines({ homepage, repository, authors = [], ...rest }: PackageMetadata): string[] {
  const [author, ...contributors] = authors.map(showInvisible);
  const members = {
    ...(rest.private === true && { private: true }),
    homepage,
    repository: repository === undefined ? undefined : { type: 'git', url: `git+${repository}` },
    author,
    ...(contributors.length > 0 && { contributors }),
  };
  const lines = JSON.stringify(members, undefined, 2).split('\n').slice(1, -1);
  return lines.map((line, index) => (index === lines.length - 1 ? `${line},` : line));
}

/**
 * Returns the view of `package.json` and its lock file.
 * @param tests names of the test files without `.test.ts`; listed individually, because runners treat folders differently.
 */
export function packageView(model: SdkModel, packageName: string, tests: readonly string[]): object {
  const { name, description, metadata = {} } = model.client;
  const said = showInvisible(foldLines(description === '' ? name : description));
  return {
    name: JSON.stringify(packageName),
    version: JSON.stringify(model.semver),
    description: JSON.stringify(said),
    license: metadata.license === undefined ? '' : JSON.stringify(metadata.license),
    metadata: metadataLines(metadata),
    testFiles: tests.map((test) => `build/test/${test}.test.js`).join(' '),
  };
}
