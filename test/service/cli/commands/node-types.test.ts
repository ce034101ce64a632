import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runInProcess } from '../../../support/run-svc.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';

const whole = {
  'package.yaml': `name: acme/echo
version: 1.0.0
nodes:
  - {name: Echo, input: acme.echo.Text, output: acme.echo.Text}
`,
  'echo.proto': 'syntax = "proto3";\npackage acme.echo;\nmessage Text {\n  string text = 1;\n}\n',
};

describe('svc node types', () => {
  let folder: TemporaryFolder | undefined;
  afterEach(() => folder?.remove());

  const types = async (changes: Record<string, string> = {}, ...args: string[]) => {
    folder = await temporaryFolder({ ...whole, ...changes });
    return runInProcess(['node', 'types', folder.path, ...args], {});
  };

  it('writes the types next to package.yaml, and the same types each time', async () => {
    const { code, stdout, stderr } = await types();
    const file = path.join(folder!.path, 'messages.ts');
    assert.deepEqual(
      { code, stdout, stderr },
      {
        code: 0,
        stdout: `${file}\n`,
        stderr: 'wrote the types of acme/echo 1.0.0\n',
      },
    );
    const written = await readFile(file, 'utf8');
    assert.match(written, /^\/\/ Written by `svc node types` for acme\/echo 1\.0\.0\. Do not edit/);
    assert.match(written, / {2}Echo: UnaryHandler<Text, Text>;\n/);
    await runInProcess(['node', 'types', folder!.path], {});
    assert.equal(await readFile(file, 'utf8'), written);
  });

  it('writes the types in the language of the package', async () => {
    const inPython = await types({ 'serve.py': '' });
    assert.match(inPython.stdout, /messages\.py\n.*messages\.pyi\n$/, inPython.stderr);
    const asAsked = await runInProcess(['node', 'types', folder!.path, '--language', 'typescript'], {});
    assert.match(asAsked.stdout, /messages\.ts\n$/);
  });

  it('refuses a language without handler types', async () => {
    const { code, stderr } = await types({}, '--language', 'rust');
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^svc: option '--language <language>' argument 'rust' is invalid\. Allowed choices are typescript, python, go\./,
    );
  });

  it('reports protos that do not compile', async () => {
    const { code, stderr } = await types({ 'echo.proto': 'syntax = "proto3";\nmessage {}\n' });
    assert.equal(code, 1);
    assert.match(stderr, /the protos of .* do not compile:\n {2}\S+\/echo\.proto:2:1/);
  });

  it('reports a missing package', async () => {
    const { code, stderr } = await runInProcess(['node', 'types', '/nowhere'], {});
    assert.equal(code, 1);
    assert.match(stderr, /^svc: \/nowhere\/package\.yaml cannot be read/);
  });
});
