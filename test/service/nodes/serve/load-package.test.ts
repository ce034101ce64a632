import assert from 'node:assert/strict';
import path from 'node:path';
import { UnservablePackageError } from '../../../../service/nodes/serve/compile-package.ts';
import { loadPackage } from '../../../../service/nodes/serve/load-package.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';

const whole = {
  'package.yaml': `name: acme/echo
version: 1.0.0
nodes:
  - {name: Echo, input: acme.echo.Text, output: acme.echo.Text}
  - {name: Shout, input: acme.echo.Text, output: acme.echo.Text}
`,
  'protos/acme/echo.proto': 'syntax = "proto3";\npackage acme.echo;\nmessage Text {\n  string text = 1;\n}\n',
  'handlers.ts': `interface Text { text: string }
export default {
  Echo: (input: Text) => input,
  Shout: ({ text }: Text) => ({ text: text.toUpperCase() }),
};
`,
};

describe('loading the package of a handler module', () => {
  let folder: TemporaryFolder | undefined;
  afterEach(() => folder?.remove());

  const write = async (changes: Record<string, string> = {}): Promise<string> => {
    folder = await temporaryFolder({ ...whole, ...changes });
    return folder.path;
  };
  const problemOf = async (changes: Record<string, string>, module = 'handlers.ts'): Promise<string> => {
    const root = await write(changes);
    const error = await loadPackage(path.join(root, module)).then(
      () => assert.fail('it was loaded'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof UnservablePackageError, String(error));
    return error.message.replaceAll(`${root}/`, '').replaceAll(root, '<folder>');
  };

  it('returns each declared node with its handler', async () => {
    const root = await write();
    const hosted = await loadPackage(path.join(root, 'handlers.ts'));
    assert.deepEqual([hosted.name, hosted.version], ['acme/echo', '1.0.0']);
    assert.deepEqual([...hosted.nodes.keys()], ['Echo', 'Shout']);
    assert.deepEqual(await hosted.nodes.get('Shout')!.handler({ text: 'a' } as never, {} as never), {
      text: 'A',
    });
  });

  it('accepts the folder of the package', async () => {
    assert.equal((await loadPackage(await write())).nodes.size, 2);
  });

  it('accepts JavaScript', async () => {
    const root = await write({
      'nodes.mjs': 'export default { Echo: (input) => input, Shout: (input) => input };',
    });
    assert.equal((await loadPackage(path.join(root, 'nodes.mjs'))).nodes.size, 2);
  });

  it('rejects a missing module', async () => {
    assert.equal(
      await problemOf({}, 'elsewhere.ts'),
      'elsewhere.ts does not exist: give the module that exports the handlers',
    );
  });

  it('rejects a module in another language', async () => {
    assert.equal(
      await problemOf({ 'nodes.py': 'class Nodes:\n    pass\n' }, 'nodes.py'),
      'nodes.py is not a module of TypeScript or JavaScript: a package in Python or Go has a container of its own, which its README.md starts',
    );
  });

  it('rejects a folder without a handler module', async () => {
    assert.equal(
      await problemOf({}, 'protos'),
      'protos has no handlers.ts, handlers.js or handlers.mjs: give the module that exports the handlers; a package in Python or Go has a container of its own, which its README.md starts',
    );
  });

  it('reports an error thrown by the module with its position', async () => {
    assert.match(
      await problemOf({ 'handlers.ts': "throw new Error('no database');" }),
      /^handlers\.ts cannot be loaded: Error: no database\n {4}at .*handlers\.ts:1/,
    );
  });

  it('rejects a module without a default export', async () => {
    assert.match(
      await problemOf({ 'handlers.ts': 'export const Echo = 1;' }),
      /^handlers\.ts has no default export/,
    );
  });

  it('reports every missing and every undeclared handler at once', async () => {
    assert.equal(
      await problemOf({ 'handlers.ts': 'export default { Echo: 5, Shuot: () => ({}) };' }),
      [
        'handlers.ts has no handler for the node Echo: add `Echo: async (input, context) => output`',
        'handlers.ts has no handler for the node Shout: add `Shout: async (input, context) => output`',
        'handlers.ts has a handler Shuot, but package.yaml declares no such node: declare it or remove it',
      ].join('\n'),
    );
  });

  it('rejects a generator for a unary node', async () => {
    const problem = (name: string): string =>
      `handlers.ts has a generator as the handler of ${name}, which is a unary node: return one output, or write \`mode: pipeline\` in package.yaml`;
    assert.equal(
      await problemOf({ 'handlers.ts': 'export default { *Echo() {}, async *Shout() {} };' }),
      [problem('Echo'), problem('Shout')].join('\n'),
    );
    const root = await write({
      'package.yaml': whole['package.yaml'].replace('{name: Echo,', '{name: Echo, mode: pipeline,'),
      'handlers.ts': 'export default { async *Echo() {}, Shout: () => ({}) };',
    });
    assert.equal((await loadPackage(root)).nodes.size, 2);
  });

  it('suggests a generator for a missing handler of a pipeline node', async () => {
    const manifest = whole['package.yaml'].replace('{name: Echo,', '{name: Echo, mode: pipeline,');
    assert.match(
      await problemOf({ 'package.yaml': manifest, 'handlers.ts': 'export default { Shout: () => ({}) };' }),
      /add `async \*Echo\(frames, context\) \{ yield output \}`$/,
    );
  });

  it('reports compile errors of the protos with their positions', async () => {
    assert.match(
      await problemOf({
        'protos/acme/echo.proto': 'syntax = "proto3";\nmessage Text {\n  strin text = 1;\n}\n',
      }),
      /^the protos of <folder> do not compile:\n {2}protos\/acme\/echo\.proto:3:3: .*strin/,
    );
  });

  it('rejects messages that are not in the protos, and suggests similar names', async () => {
    assert.equal(
      await problemOf({ 'package.yaml': whole['package.yaml'].replace('acme.echo.Text', 'acme.Text') }),
      'package.yaml: node "Echo": input message "acme.Text" is not in the protos: did you mean acme.echo.Text?',
    );
    assert.equal(
      await problemOf({ 'package.yaml': whole['package.yaml'].replace('acme.echo.Text', 'acme.echo.Texte') }),
      'package.yaml: node "Echo": input message "acme.echo.Texte" is not in the protos: did you mean acme.echo.Text?',
    );
    assert.match(
      await problemOf({
        'package.yaml': whole['package.yaml'].replace('acme.echo.Text', 'acme.echo.Picture'),
      }),
      /is not in the protos: use the full name, with the proto package$/,
    );
  });

  it('rejects an invalid package.yaml', async () => {
    assert.match(await problemOf({ 'package.yaml': 'name: 5' }), /^package\.yaml:1: name: /);
  });
});
