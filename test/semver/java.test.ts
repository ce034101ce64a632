import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inFolders } from '../fuzz/archive-folders.ts';
import type { FuzzedArchive } from '../fuzz/names-check.ts';
import { sourcesAroundOneJavaRuntime } from '../fuzz/one-java-runtime.ts';
import { writeFiles } from '../support/cargo.ts';
import { comparerJar, JAVA_TOOLS_TIMEOUT_MS, runJava, runShell } from '../support/java-tools.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type Finding, judgePairs, pairArchives } from './judged-pairs.ts';
import type { VersionPair } from './version-pairs.ts';

suiteNeeds('java', 'semantic versions in Java, checked with japicmp', function () {
  this.timeout(JAVA_TOOLS_TIMEOUT_MS);

  let judgment: Awaited<ReturnType<typeof judgePairs>>;
  before(async () => {
    judgment = await judgePairs(judged);
  });

  it('match the changes between random pairs of client versions', () => {
    assert.deepEqual(judgment.findings, []);
  });

  it('are checked by a tool that detects breaking changes', () => {
    for (const removed of ['Pair999Client goes', 'Item gone'])
      assert.ok(judgment.ofBroken.includes(`${removed} METHOD_REMOVED`), judgment.ofBroken.join('\n'));
  });
});

async function judged(pairs: readonly VersionPair[]): Promise<Finding[]> {
  const { before, after } = await pairArchives('java', pairs);
  return inFolders([], async (root) => {
    const jars = [
      ...['--old', await jarOf(before, path.join(root, 'before'))],
      ...['--new', await jarOf(after, path.join(root, 'after'))],
    ];
    const report = path.join(root, 'report.xml');
    const options = ['-jar', await comparerJar(), ...jars, '--only-modified', '--xml-file', report];
    const { code, output } = await runJava('java', options, root);
    assert.equal(code, 0, output);
    return incompatible(await readFile(report, 'utf8'));
  });
}

/** Returns the public classes of archives, with one runtime. */
async function jarOf(archives: readonly FuzzedArchive[], folder: string): Promise<string> {
  const sources = sourcesAroundOneJavaRuntime(
    archives,
    (file) => /^src\/main\/.*\.java$/.test(file) && !file.endsWith('-info.java'),
  );
  await writeFiles(folder, sources);
  const args = [
    '-proc:none',
    '-nowarn',
    '-encoding',
    'UTF-8',
    '-d',
    'classes',
    ...sources.map((each) => each.path),
  ];
  await writeFile(path.join(folder, 'arguments'), args.map((arg) => JSON.stringify(arg)).join('\n'));
  for (const { code, output } of [
    await runJava('javac', ['@arguments'], folder),
    await runShell('jar --create --no-compress --file classes.jar -C classes .', folder),
  ])
    assert.equal(code, 0, output);
  return path.join(folder, 'classes.jar');
}

const element =
  /<(class|method|field|constructor|superclass) [^>]*?(?:fullyQualifiedName|name)="([^"]*)"|<compatibilityChange ([^>]*)>/g;

/** Returns the changes of the report that break source or binary compatibility: `Item gone METHOD_REMOVED`. */
function incompatible(report: string): Finding[] {
  const findings: Finding[] = [];
  let [className, member] = ['', ''];
  for (const [, kind, name = '', change] of report.matchAll(element)) {
    if (kind === 'class') [className, member] = [name, ''];
    else if (kind !== undefined) member = name;
    if (change?.includes('="false"') !== true) continue;
    const [, pair = className, type = ''] = /^svc\.acme\.(pair_\d+)\.(.*)$/.exec(className) ?? [];
    const what = /type="(\w+)"/.exec(change)?.[1] ?? change;
    findings.push({ pair: pair.replace('_', '-'), text: `${type} ${member} ${what}` });
  }
  return findings;
}
