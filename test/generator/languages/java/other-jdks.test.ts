import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { otherJavaHomes } from '../../../support/java-homes.ts';
import { annotationsJar, JAVA_TOOLS_TIMEOUT_MS, junitJar, runJava } from '../../../support/java-tools.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { type UnpackedArchives, unpackArchives } from '../../../support/unpacked-archives.ts';
import { sourcesOf } from './java-archives.ts';

/** Together they cover fields of every kind, flows and a client without members. */
const fixtures = [
  'basic',
  'empty-messages',
  'enums',
  'flows',
  'maps-oneofs-optional',
  'scalars',
  'well-known',
];

suiteNeeds('java', 'Java archives under the other JDKs of the machine', function () {
  this.timeout(JAVA_TOOLS_TIMEOUT_MS);
  const homes = otherJavaHomes();
  let archives: UnpackedArchives;

  if (homes.length === 0) {
    it.skip('skipped without a second JDK: install one, or name their homes in SVC_JAVA_HOMES');
    return;
  }

  before(async () => {
    archives = await unpackArchives('java', fixtures);
    await Promise.all([annotationsJar(), junitJar()]);
  });
  after(async () => {
    await archives.remove();
  });

  for (const { release, home } of homes) {
    async function passes(program: 'java' | 'javac' | 'javadoc', args: readonly string[]): Promise<string> {
      const lines = args.map((arg) => JSON.stringify(arg));
      await writeFile(path.join(archives.root, 'arguments'), lines.join('\n'));
      const env = { PATH: [path.join(home, 'bin'), process.env.PATH].join(path.delimiter) };
      const { code, output } = await runJava(program, ['@arguments'], archives.root, env);
      assert.equal(code, 0, output.slice(0, 40_000));
      return output;
    }

    it(`compile as modules without warnings with JDK ${release}, including documentation`, async () => {
      const modules = [...archives.files].map(([name, own]) => {
        const text = own.get('src/main/java/module-info.java') ?? '';
        return { name, module: /^module ([\w.\s]+) \{$/m.exec(text)?.[1]?.replaceAll(/\s/g, '') ?? '' };
      });
      await passes('javac', [
        ...['-Xlint:all', '-Xdoclint:all/protected', '-Werror', '-encoding', 'UTF-8', '-d', `by-${release}`],
        ...modules.flatMap(({ name, module }) => ['--module-source-path', `${module}=${name}/src/main/java`]),
        ...[
          '--module-path',
          await annotationsJar(),
          '--module',
          modules.map(({ module }) => module).join(','),
        ],
      ]);
    });

    // Unlike javac, javadoc also reads non-public serializable types.
    it(`produce no javadoc warnings with JDK ${release}`, async () => {
      const sources = sourcesOf(archives).filter((file) => file.startsWith('basic/src/main/'));
      await passes('javadoc', [
        ...['-quiet', '-Werror', '-encoding', 'UTF-8', '-d', `documentation-by-${release}`],
        ...['--module-path', await annotationsJar(), ...sources],
      ]);
    });

    it(`pass their own tests with JDK ${release}`, async () => {
      const classes = `tests-by-${release}`;
      const sources = sourcesOf(archives).filter(
        (file) => /^(?:basic|flows)\/src\//.test(file) && !file.endsWith('-info.java'),
      );
      const options = ['-Xlint:all,-processing', '-Werror', '-encoding', 'UTF-8', '-d', classes];
      await passes('javac', [...options, '-cp', await junitJar(), ...sources]);
      const classPath = [classes, 'basic/src/test/resources', 'flows/src/test/resources'];
      const output = await passes('java', [
        ...['-jar', await junitJar(), 'execute', '--scan-class-path', classes],
        ...['--class-path', classPath.join(path.delimiter), '--details=summary', '--disable-banner'],
      ]);
      const [, passed = '0'] = /(\d+) tests successful/.exec(output) ?? [];
      assert.ok(Number(passed) > 60, output);
    });
  }
});
