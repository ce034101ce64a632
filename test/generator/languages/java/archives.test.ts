import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeFiles } from '../../../support/cargo.ts';
import {
  annotationsJar,
  formatterJar,
  JAVA_TOOLS_TIMEOUT_MS,
  junitJar,
  runJava,
} from '../../../support/java-tools.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { type UnpackedArchives, unpackArchives } from '../../../support/unpacked-archives.ts';
import { sourcesOf } from './java-archives.ts';
import { shownPrograms } from './shown-programs.ts';

/** Calls setters of several archives. */
const settersTest = path.join(import.meta.dirname, 'SettersTest.java');

/** The client of the fixture with flows. */
const lettersClient = 'src/main/java/svc/acme/acme_letters/AcmeLettersClient.java';

suiteNeeds('java', 'the Java archives of all fixtures', function () {
  this.timeout(JAVA_TOOLS_TIMEOUT_MS);
  let archives: UnpackedArchives;
  let modules: { name: string; module: string }[];

  before(async () => {
    archives = await unpackArchives('java');
    modules = [...archives.files].map(([name, own]) => {
      const text = own.get('src/main/java/module-info.java') ?? '';
      return { name, module: /^module ([\w.\s]+) \{$/m.exec(text)?.[1]?.replaceAll(/\s/g, '') ?? '' };
    });
    await Promise.all([annotationsJar(), formatterJar(), junitJar()]);
  });
  after(async () => {
    await archives.remove();
  });

  async function passes(program: 'java' | 'javac', args: readonly string[]): Promise<string> {
    await writeFile(path.join(archives.root, 'arguments'), args.map((arg) => JSON.stringify(arg)).join('\n'));
    const { code, output } = await runJava(program, ['@arguments'], archives.root);
    assert.equal(code, 0, output.slice(0, 40_000));
    return output;
  }

  it('are formatted by google-java-format', async () => {
    const sources = sourcesOf(archives).filter(isOwnOrFirst);
    const { code, output } = await runJava(
      'java',
      ['-jar', await formatterJar(), '--dry-run', '--set-exit-if-changed', ...sources],
      archives.root,
    );
    assert.equal(output, '');
    assert.equal(code, 0);
  });

  it('compile as modules without warnings, including documentation', async () => {
    await passes('javac', [
      ...['-Xlint:all', '-Xdoclint:all/protected', '-Werror', '-encoding', 'UTF-8', '-d', 'modules'],
      ...modules.flatMap(({ name, module }) => ['--module-source-path', `${module}=${name}/src/main/java`]),
      ...['--module-path', await annotationsJar(), '--module', modules.map(({ module }) => module).join(',')],
    ]);
  });

  it('compile with their examples and README snippets, and pass their own tests and those of setters', async () => {
    const programs = await writePrograms(archives);
    assert.ok(programs.length > 150, `${programs.length} programs`);
    const tests = sourcesOf(archives).filter((file) => file.includes('/src/test/') && isOwnOrFirst(file));
    const support = sourcesOf(archives).filter((file) =>
      /\/(?:MemberSample|ScriptedServer)\.java$/.test(file),
    );
    const classPath = [
      await junitJar(),
      ...modules.map(({ module }) => `modules/${module}`),
      ...modules.map(({ name }) => `${name}/src/test/resources`),
    ];
    await passes('javac', [
      ...['-Xlint:all,-processing', '-Werror', '-encoding', 'UTF-8', '-d', 'programs/classes'],
      ...[
        '-cp',
        classPath.join(path.delimiter),
        ...new Set([...tests, ...support, ...programs]),
        settersTest,
      ],
    ]);
    const [jar = '', ...classes] = classPath;
    const output = await passes('java', [
      // The common pool of a machine with four processors. With fewer, the JDK may not use it.
      '-Djava.util.concurrent.ForkJoinPool.common.parallelism=3',
      ...['-jar', jar, 'execute', '--scan-class-path', 'programs/classes'],
      ...['--class-path', ['programs/classes', ...classes].join(path.delimiter)],
      ...['--details=summary', '--disable-banner'],
    ]);
    const [, passed = '0'] = /(\d+) tests successful/.exec(output) ?? [];
    assert.ok(Number(passed) > 150, output);
  });

  it('contain no annotation or comment that suppresses a check', () => {
    for (const [name, files] of archives.files)
      for (const [file, text] of files) {
        if (!file.endsWith('.java')) continue;
        assert.doesNotMatch(
          text,
          /@SuppressWarnings|@formatter:off|CHECKSTYLE|^\s*\/\/ (?:NOPMD|noinspection)/im,
          `${name}/${file}`,
        );
      }
  });

  it('export no internal packages', () => {
    const own = archives.files.get('basic') ?? new Map<string, string>();
    assert.doesNotMatch(own.get('src/main/java/module-info.java') ?? '', /internal/);
    for (const [file, text] of own)
      if (!file.includes('/internal/')) assert.doesNotMatch(text, /may change in(?:\s|\*)+any release/, file);
  });

  it('contain untrusted text only in comments and literals', () => {
    const own = archives.files.get('hostile-text') ?? new Map<string, string>();
    for (const [file, text] of own) {
      if (!file.endsWith('.java') || isRuntime(file)) continue;
      assert.doesNotMatch(
        text,
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/,
        file,
      );
      const code = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\*[^]*?\*\//g, '""').replaceAll(/\/\/.*/g, '');
      assert.doesNotMatch(code, /process\.|alert\(|exit\(1\) \/|[`#$\\]|[^\x00-\x7f]/, file);
    }
  });

  it('document the exceptions of each call, and the flow that it runs', () => {
    for (const [name, own] of archives.files) {
      const [, client = ''] = [...own].find(([, text]) => text.includes(' String IDENTITY =')) ?? [];
      const methods = client.match(/\/\*\*(?:(?!\*\/)[^])*\*\/\s+public [^{;]+\{/g) ?? [];
      const calls = methods.filter((text) => /(?:input|inputs|CallOptions options)\) \{$/.test(text));
      for (const call of calls) assert.match(call, /SvcException/, `${name}: ${call}`);
    }
    const text =
      archives.files
        .get('flows')
        ?.get(lettersClient)
        ?.replaceAll(/\s+(?:\*\s+)?/g, ' ') ?? '';
    assert.match(text, /Runs the flow "summarize" \(artifact [0-9a-f]{64}\) and waits for its output\./);
    for (const exception of ['FlowFailed', 'FlowPaused', 'WaitTimedOut', 'Svc']) {
      assert.match(text, new RegExp(`@throws ${exception}Exception if `));
      assert.match(
        text,
        new RegExp(`the future fails with an? (?:[^@]|@link)*\\{@link ${exception}Exception\\}`),
      );
    }
  });

  it('have a valid POM without runtime dependencies', () => {
    for (const [name, own] of archives.files) {
      const pom = own.get('pom.xml') ?? '';
      assert.match(
        pom,
        /<groupId>svc\.[a-z0-9-]+<\/groupId>\n {2}<artifactId>[a-z0-9-]+<\/artifactId>/,
        name,
      );
      assert.doesNotMatch(pom.replaceAll(/<(?:name|description)>.*<\/\w+>/g, ''), /[^\x00-\x7f]/, name);
      const dependencies = pom.match(/<dependency>[^]*?<\/dependency>/g) ?? [];
      const atRunTime = dependencies.filter((each) => !/<scope>(?:test|provided)<\/scope>/.test(each));
      assert.deepEqual(atRunTime, [], name);
    }
  });

  it('annotate every package as @NullMarked', () => {
    for (const [name, own] of archives.files) {
      const sources = [...own.keys()].filter((file) => file.startsWith('src/main/java/'));
      const packages = new Set(
        sources.map((file) => path.dirname(file)).filter((folder) => folder.includes('/svc')),
      );
      for (const folder of packages)
        assert.match(
          own.get(`${folder}/package-info.java`) ?? '',
          /^@NullMarked\npackage /m,
          `${name}: ${folder}`,
        );
    }
  });
});

/** Reports whether a source belongs to the runtime or its tests, which differ between archives only in their package. */
function isRuntime(file: string): boolean {
  return /\/(?:core|errors|internal|json)\/\w+\.java$/.test(file);
}

/** Reports whether a source is the archive's own, or the runtime's in the first archive. */
function isOwnOrFirst(file: string): boolean {
  return !isRuntime(file) || file.startsWith('basic/');
}

/** Writes the examples and the Java code of each README, each in its own package. Returns their paths. */
async function writePrograms({ root, files }: UnpackedArchives): Promise<string[]> {
  const programs = [...files.values()].flatMap(shownPrograms).map(({ className, text }, index) => ({
    path: `programs/p${index}/${className}.java`,
    content: `package p${index};\n\n${text}`,
  }));
  await writeFiles(root, programs);
  return programs.map(({ path: file }) => file);
}
