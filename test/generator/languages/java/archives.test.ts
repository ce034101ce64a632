import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { formatterJar, JAVA_TOOLS_TIMEOUT_MS, junitJar, runJava } from '../../../support/java-tools.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';
import { type UnpackedArchives, unpackArchives } from '../../../support/unpacked-archives.ts';
import { sourcesOf } from './java-archives.ts';

suiteNeeds('java', 'the Java archives of all fixtures', function () {
  this.timeout(300_000);
  let archives: UnpackedArchives;
  let modules: { name: string; module: string }[];

  before(async function () {
    this.timeout(JAVA_TOOLS_TIMEOUT_MS);
    archives = await unpackArchives('java');
    modules = [...archives.files].map(([name, own]) => {
      const text = own.get('src/main/java/module-info.java') ?? '';
      return { name, module: /^module ([\w.\s]+) \{$/m.exec(text)?.[1]?.replaceAll(/\s/g, '') ?? '' };
    });
    await Promise.all([formatterJar(), junitJar()]);
  });
  after(async () => {
    await archives.remove();
  });

  async function passes(program: 'java' | 'javac', args: readonly string[]): Promise<string> {
    await writeFile(path.join(archives.root, 'arguments'), args.map((arg) => JSON.stringify(arg)).join('\n'));
    const { code, output } = await runJava(program, ['@arguments'], archives.root);
    assert.equal(code, 0, output.slice(0, 4_000));
    return output;
  }

  it('are formatted as google-java-format formats', async () => {
    const sources = sourcesOf(archives).filter(isOwnOrFirst);
    const { code, output } = await runJava(
      'java',
      ['-jar', await formatterJar(), '--dry-run', '--set-exit-if-changed', ...sources],
      archives.root,
    );
    assert.equal(output, '');
    assert.equal(code, 0);
  });

  it('compile as modules without a warning, documentation included', async () => {
    await passes('javac', [
      ...['-Xlint:all', '-Xdoclint:all/protected', '-Werror', '-encoding', 'UTF-8', '-d', 'modules'],
      ...modules.flatMap(({ name, module }) => ['--module-source-path', `${module}=${name}/src/main/java`]),
      ...['--module', modules.map(({ module }) => module).join(',')],
    ]);
  });

  it('pass their own tests; those compile, and the examples and snippets of READMEs with them', async () => {
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
      ...['-cp', classPath.join(path.delimiter), ...new Set([...tests, ...support, ...programs])],
    ]);
    const [jar = '', ...classes] = classPath;
    const output = await passes('java', [
      ...['-jar', jar, 'execute', '--scan-class-path', 'programs/classes'],
      ...['--class-path', ['programs/classes', ...classes].join(path.delimiter)],
      ...['--details=summary', '--disable-banner'],
    ]);
    const [, passed = '0'] = /(\d+) tests successful/.exec(output) ?? [];
    assert.ok(Number(passed) > 150, output);
  });

  it('hold no annotation, comment or file that suppresses a check', () => {
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

  it('hold nothing of a text but comments and literals', () => {
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

  it('are packages that a build tool reads', () => {
    for (const [name, own] of archives.files) {
      const pom = own.get('pom.xml') ?? '';
      assert.match(
        pom,
        /<groupId>svc\.[a-z0-9-]+<\/groupId>\n {2}<artifactId>[a-z0-9-]+<\/artifactId>/,
        name,
      );
      assert.doesNotMatch(pom.replaceAll(/<(?:name|description)>.*<\/\w+>/g, ''), /[^\x00-\x7f]/, name);
      assert.equal(pom.match(/<scope>test<\/scope>/g)?.length, pom.match(/<dependency>/g)?.length, name);
    }
  });
});

/** A source of the runtime or its tests, which but for its package is the same in all archives. */
function isRuntime(file: string): boolean {
  return /\/(?:core|errors|json)\/\w+\.java$/.test(file);
}

/** Whether a source is the archive's own, or the runtime's in the first archive. */
function isOwnOrFirst(file: string): boolean {
  return !isRuntime(file) || file.startsWith('basic/');
}

/** Examples, and the Java of each README, each in a package of its own; gives their paths. */
async function writePrograms({ root, files }: UnpackedArchives): Promise<string[]> {
  const written: string[] = [];
  for (const own of files.values()) {
    const main = [...own].find(([, text]) => text.includes(' String IDENTITY ='))?.[0] ?? '';
    const packageName = path.dirname(main.replace('src/main/java/', '')).replaceAll('/', '.');
    const readme = own.get('README.md') ?? '';
    const snippets = [...readme.matchAll(/^`{3,}java\n(.*?)^`{3,}$/gms)].map(([, code = '']) =>
      /^public final class Main/m.test(code)
        ? code
        : partOfProgram(code, packageName, main, own.get(main) ?? ''),
    );
    const examples = [...own].filter(([file]) => file.startsWith('examples/')).map(([, text]) => text);
    for (const program of [...snippets, ...examples]) {
      const folder = `programs/p${written.length}`;
      const file = `${folder}/${/^public final class (\w+)/m.exec(program)?.[1] ?? ''}.java`;
      await mkdir(path.join(root, folder), { recursive: true });
      await writeFile(path.join(root, file), `package p${written.length};\n\n${program}`);
      written.push(file);
    }
  }
  return written;
}

/** What a part names is a parameter. */
function partOfProgram(code: string, packageName: string, main: string, client: string): string {
  const clientClass = path.basename(main, '.java');
  const call = /client\.(\w+?)(?:Async)?\(input/.exec(code)?.[1] ?? '';
  const input =
    new RegExp(`\\b${call}\\( ?(\\w+) input\\)`).exec(client.replaceAll(/\s+/g, ' '))?.[1] ?? 'Object';
  const parameters = [`${input} input`, 'Runnable call', 'String id', 'String key', 'String url'];
  if (!code.includes(`${clientClass} client =`)) parameters.push(`${clientClass} client`);
  return `import ${packageName}.*;
import ${packageName}.core.*;
import ${packageName}.errors.*;
import ${packageName}.json.*;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

public final class Part {
  private Part() {}

  static void part(${parameters.join(', ')}) {
${code}
  }
}
`;
}
