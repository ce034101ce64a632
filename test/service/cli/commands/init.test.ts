import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { typeErrors } from '../../../support/checked-types.ts';
import { runInProcess } from '../../../support/run-svc.ts';
import { checkNodes, type ScaffoldedPackage, scaffoldPackage } from '../../../support/scaffolded-package.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';
import { suiteNeeds } from '../../../support/toolchains.ts';

describe('svc init package', () => {
  let folder: TemporaryFolder;
  beforeEach(async () => (folder = await temporaryFolder({})));
  afterEach(() => folder.remove());

  const init = (dir: string, ...args: string[]) =>
    runInProcess(['init', 'package', path.join(folder.path, dir), ...args], {});
  const read = (dir: string, file: string) => readFile(path.join(folder.path, dir, file), 'utf8');

  it('prints the files that it writes', async () => {
    const { code, stdout, stderr } = await init('greeter');
    assert.equal(code, 0, stderr);
    const files = stdout.trimEnd().split('\n');
    assert.deepEqual(
      files.map((file) => path.relative(path.join(folder.path, 'greeter'), file)).slice(0, 4),
      ['.gitignore', 'README.md', 'handlers.test.ts', 'handlers.ts'],
    );
    assert.equal(
      stderr,
      `wrote the package acme/greeter: ${path.join(folder.path, 'greeter/README.md')} has the next steps\n`,
    );
  });

  it('names the package and its messages after --name', async () => {
    assert.equal((await init('first', '--name', 'my-team/3d.models')).code, 0);
    assert.match(await read('first', 'package.yaml'), /^name: my-team\/3d\.models\n/);
    assert.match(await read('first', 'protos/nodes.proto'), /^package my_team\.p3d\.models\.v1;$/m);
    assert.doesNotMatch(await read('first', 'README.md'), /acme|greeter/);
    assert.match(await read('first', 'package.json'), /"name": "3d\.models"/);
  });

  it('writes the given path into the README, relative if it is in the current folder', async () => {
    const given = path.join(folder.path, 'third');
    const relative = path.relative('', given);
    await mkdir('.cache', { recursive: true });
    const here = await mkdtemp('.cache/init-');
    const cases: [string, string][] = [
      [`${given}/`, given],
      [`${relative}-2`, `${relative}-2`],
      [path.resolve(here, 'third'), `${here}/third`],
      [`./${here}/fourth/`, `${here}/fourth`],
    ];
    try {
      for (const [dir, named] of cases) {
        const { code, stderr } = await runInProcess(['init', 'package', dir, '--name', 'acme/greeter'], {});
        assert.equal(code, 0, stderr);
        const readme = await readFile(path.join(dir, 'README.md'), 'utf8');
        assert.ok(readme.includes(`svc node types ${named}\n`), readme);
      }
    } finally {
      await rm(here, { recursive: true });
    }
  });

  it('names a Go module and its program after the package', async () => {
    assert.equal((await init('second', '--name', 'acme/greeter-2', '--language', 'go')).code, 0);
    assert.match(await read('second', 'go.mod'), /^module acme\/greeter-2\n/);
    assert.match(await read('second', 'main.go'), /^\/\/ Command greeter-2 [^]*"acme\/greeter-2\/svcnode"/);
    assert.match(await read('second', '.gitignore'), /^\/greeter-2$/m);
  });

  it('writes into an empty folder', async () => {
    assert.equal((await init('.', '--name', 'acme/greeter')).code, 0);
  });

  it('refuses a folder with files', async () => {
    await writeFile(path.join(folder.path, 'notes.txt'), '');
    const { code, stdout, stderr } = await init('.', '--name', 'acme/greeter');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /is not empty: choose a new or empty folder\n$/);
  });

  it('refuses a path that is a file', async () => {
    await writeFile(path.join(folder.path, 'notes'), '');
    const { code, stderr } = await init('notes');
    assert.equal(code, 1);
    assert.match(stderr, /notes is not a folder: choose another path\n$/);
  });

  for (const [dir, ...args] of [
    ['Greeter'],
    ['greeter', '--name', 'greeter'],
    ['greeter', '--name', 'acme/-greeter'],
    ['greeter', '--name', `acme/${'g'.repeat(124)}`],
  ] as const) {
    it(`refuses a name that cannot be published: ${[dir, ...args].join(' ').slice(0, 40)}`, async () => {
      const { code, stdout, stderr } = await init(dir, ...args);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /is not a name of a package: set --name <handle>\/<name> in lower case/);
    });
  }

  it('accepts a name of the maximum length', async () => {
    assert.equal((await init('greeter', '--name', `acme/${'g'.repeat(123)}`)).code, 0);
  });

  it('refuses a path with characters that a shell interprets', async () => {
    const { code, stderr } = await init('a b', '--name', 'acme/greeter');
    assert.equal(code, 2);
    assert.match(stderr, /has characters that a shell would read/);
  });

  it('refuses a language without packages', async () => {
    const { code, stderr } = await init('greeter', '--language', 'cobol');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^svc: option '--language <language>' argument 'cobol' is invalid\. Allowed choices are typescript, python, go\./,
    );
  });
});

suiteNeeds('processes', 'a new package in TypeScript', () => {
  let scaffolded: ScaffoldedPackage;
  before(async () => (scaffolded = await scaffoldPackage('typescript')));
  after(() => scaffolded.close());

  it('passes its own test', async () => {
    assert.match(await scaffolded.run('Test'), /pass 4\n.*fail 0/s);
  });

  it('passes the strict type check', async () => {
    const sources = ['messages.ts', 'handlers.ts', 'handlers.test.ts'].map(async (file) => [
      file,
      await readFile(path.join(scaffolded.folder, file), 'utf8'),
    ]);
    assert.deepEqual(
      typeErrors(Object.fromEntries(await Promise.all(sources)) as Record<string, string>),
      [],
    );
  });

  it('is served, published and called with the commands of its README', async () => {
    await scaffolded.serve();
    const printed = await scaffolded.run('Publish and call');
    assert.match(printed, /Hello, Ada!"[^]*Hello, Ada!"[^]*Hello, Grace!"/);
    await checkNodes(scaffolded);
  });

  it('regenerates identical types', async () => {
    const file = path.join(scaffolded.folder, 'messages.ts');
    const before = await readFile(file, 'utf8');
    await scaffolded.run('Types');
    assert.equal(await readFile(file, 'utf8'), before);
  });
});
