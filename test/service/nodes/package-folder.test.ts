import assert from 'node:assert/strict';
import path from 'node:path';
import { PackageFolderError, readPackageFolder } from '../../../service/nodes/package-folder.ts';
import { fixturePackageFolder } from '../../support/fixture-containers.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const yaml = `name: acme/echo
version: 1.0.0
nodes:
  - name: Echo
    input: acme.echo.Text
    output: acme.echo.Text
`;
const proto = 'syntax = "proto3"; package acme.echo; message Text { string text = 1; }';

const read = async (files: Record<string, string>) => {
  const folder = await temporaryFolder(files);
  try {
    return await readPackageFolder(folder.path);
  } finally {
    await folder.remove();
  }
};

/** Returns the problems without the path of the folder. */
const problemsOf = async (files: Record<string, string>): Promise<string> => {
  const error = await read(files).then(
    () => assert.fail('the folder was accepted'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof PackageFolderError, String(error));
  return error.message
    .replaceAll(/\/\S*\/svc-test-\w+\//g, '')
    .replaceAll(/\/\S*\/svc-test-\w+/g, '<folder>');
};

describe('reading a package folder', () => {
  it('returns a publication with defaults', async () => {
    assert.deepEqual(await read({ 'package.yaml': yaml, 'protos/acme/echo/echo.proto': proto }), {
      name: 'acme/echo',
      version: '1.0.0',
      description: '',
      visibility: 'private',
      nodes: [
        {
          name: 'Echo',
          input: 'acme.echo.Text',
          output: 'acme.echo.Text',
          mode: 'unary',
          kind: 'standard',
          generic: [],
          description: '',
          required_secrets: [],
        },
      ],
      protos: { 'acme/echo/echo.proto': proto },
    });
  });

  it('resolves imports from the folder itself without a protos folder', async () => {
    const { protos } = await read({ 'package.yaml': yaml, 'acme/echo.proto': proto, 'b.proto': proto });
    assert.deepEqual(Object.keys(protos), ['acme/echo.proto', 'b.proto']);
  });

  it('skips files of other tools', async () => {
    const { protos } = await read({
      'package.yaml': yaml,
      'echo.proto': proto,
      'node_modules/x/y.proto': 'nonsense',
      '.cache/z.proto': 'nonsense',
    });
    assert.deepEqual(Object.keys(protos), ['echo.proto']);
  });

  it('accepts a relative path', async () => {
    const relative = path.relative(process.cwd(), fixturePackageFolder('acme-text'));
    assert.deepEqual(Object.keys((await readPackageFolder(relative)).protos), ['acme/text/v1/text.proto']);
  });
});

describe('a folder that is not a package', () => {
  it('is rejected without package.yaml', async () => {
    assert.equal(
      await problemsOf({ 'echo.proto': proto }),
      'package.yaml cannot be read (it does not exist): a package is a folder with package.yaml and .proto files',
    );
  });

  it('is rejected with the position of invalid YAML', async () => {
    assert.match(
      await problemsOf({ 'package.yaml': 'name: acme/echo\nnodes: [\n', 'echo.proto': proto }),
      /^package\.yaml:\d:\d+: [^\n]+$/,
    );
  });

  it('is rejected with the position of an excessive YAML alias', async () => {
    const grown = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`);
    assert.match(
      await problemsOf({
        'package.yaml': ['a0: &a0 [x]', ...grown].join('\n'),
        'echo.proto': proto,
      }),
      /^package\.yaml:1:1: Excessive alias count/,
    );
  });

  it('is rejected with the line of every invalid field', async () => {
    const wrong = yaml
      .replace('acme/echo\n', 'Echo\n')
      .replace('input: acme.echo.Text', 'inptu: acme.echo.Text');
    assert.equal(
      await problemsOf({ 'package.yaml': wrong, 'echo.proto': proto }),
      [
        'package.yaml:1: name: must be <handle>/<name> in lower case, for example "acme/text": ' +
          'letters and digits with single "-" between them, and in the name also "." or "_"',
        'package.yaml:5: nodes[0] ("Echo"): unknown key "inptu": use name, input, output, mode, kind, generic, description, required_secrets, sample',
      ].join('\n'),
    );
  });

  it('is rejected with the line of an unknown key of the package', async () => {
    const wrong = yaml.replace('version: 1.0.0\n', 'version: 1.0.0\ndescripton: Echoes.\n');
    assert.match(
      await problemsOf({ 'package.yaml': wrong, 'echo.proto': proto }),
      /^package\.yaml:3: unknown key "descripton": use name, version, /,
    );
  });

  it('is rejected with at most twenty problems and the number of further ones', async () => {
    const nodes = Array.from({ length: 23 }, (_, index) => `  - name: N${index}\n    inptu: x\n`);
    const problems = await problemsOf({ 'package.yaml': yaml + nodes.join(''), 'echo.proto': proto });
    const lines = problems.split('\n');
    assert.deepEqual([lines.length, lines.at(-1)?.replace(/\d+/, '<n>')], [21, 'package.yaml: and <n> more']);
  });

  it('is rejected for a version that YAML reads as a number', async () => {
    assert.match(
      await problemsOf({ 'package.yaml': yaml.replace('1.0.0', '1.0'), 'echo.proto': proto }),
      /^package\.yaml:2: version: must be a string with a semantic version, for example "1\.0\.0"$/,
    );
  });

  it('is rejected with the line of the parent of a missing field', async () => {
    assert.match(
      await problemsOf({ 'package.yaml': yaml.replace('name: acme/echo\n', ''), 'echo.proto': proto }),
      /^package\.yaml:1: name: /,
    );
  });

  it('is rejected for an empty package.yaml', async () => {
    assert.match(
      await problemsOf({ 'package.yaml': '', 'echo.proto': proto }),
      /^package\.yaml: the file is empty: write keys and their values/,
    );
  });

  it('is rejected without .proto files', async () => {
    assert.equal(
      await problemsOf({ 'package.yaml': yaml }),
      '<folder> has no .proto file: add the files that define the messages of its nodes',
    );
  });

  it('is rejected for .proto files outside the import root', async () => {
    assert.match(
      await problemsOf({ 'package.yaml': yaml, 'protos/a.proto': proto, 'b.proto': proto }),
      /^b\.proto is outside protos, where import paths start: move it there$/,
    );
  });
});
