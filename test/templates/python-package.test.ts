import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { language } from '../../generator/languages/python/language.ts';
import { compileProtos } from '../../service/messages/compile/compile-protos.ts';
import { describeTypes } from '../../specs/messages/describe-types.ts';
import { linkDescriptors } from '../../specs/messages/link-descriptors.ts';
import { createContainerPool } from '../../service/nodes/container/container-pool.ts';
import { jsonStreams } from '../support/json-streams.ts';
import { nodeInvocation, within } from '../support/node-invocation.ts';
import { PYTHON_VENV_TIMEOUT_MS, type PythonVenv, pythonVenv } from '../support/python-venv.ts';
import { runInProcess } from '../support/run-svc.ts';
import { checkNodes, checkRefusals, type ScaffoldedPackage, scaffoldPackage } from '../support/scaffolded-package.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const host = path.join(projectRoot, 'templates/python/package/svc_node');

describe('the protocol of the host library in Python', () => {
  it('is generated from node_container.proto', async () => {
    const source = await readFile(path.join(projectRoot, 'service/nodes/node_container.proto'), 'utf8');
    const descriptorSet = await compileProtos({ 'node_container.proto': source });
    const registry = linkDescriptors(descriptorSet);
    const messages = [...registry].filter((type) => type.kind === 'message');
    const types = describeTypes(
      registry,
      messages.map(({ typeName }) => typeName),
    );
    const files = await language.handlerTypes!({
      name: 'svc/node',
      version: '1.0.0',
      nodes: [],
      types,
      descriptorSet,
    });
    for (const { path: name, content } of files) {
      const file = path.join(host, name.replace('messages', 'protocol'));
      assert.equal(await readFile(file, 'utf8'), content, file);
    }
  });
});

describe('the messages of the fixture container in Python', () => {
  it('match its package', async () => {
    const folder = await temporaryFolder({});
    const source = path.join(projectRoot, 'fixtures/packages/acme-text');
    const run = await runInProcess(['node', 'types', source, '--language', 'python', '--out', folder.path], {});
    assert.equal(run.code, 0, run.stderr);
    for (const name of ['messages.py', 'messages.pyi']) {
      const kept = path.join(projectRoot, 'fixtures/containers/python', name);
      assert.equal(await readFile(kept, 'utf8'), await readFile(path.join(folder.path, name), 'utf8'), kept);
    }
    await folder.remove();
  });
});

suiteNeeds('python', 'a new package in Python', function () {
  this.timeout(PYTHON_VENV_TIMEOUT_MS);
  let venv: PythonVenv;
  let scaffolded: ScaffoldedPackage;
  before(async () => {
    venv = await pythonVenv();
    scaffolded = await scaffoldPackage('python');
  });
  after(() => scaffolded.close());

  const tool = async (...args: string[]): Promise<string> => {
    const run = promisify(execFile)(venv.python, ['-m', ...args], { cwd: scaffolded.folder, env: venv.env });
    const { stdout } = await run.catch((error: unknown) => error as { stdout: string });
    return stdout;
  };

  it('is formatted, clean under ruff and strictly typed under mypy', async () => {
    assert.equal(await tool('ruff', 'format', '--diff', '.'), '');
    assert.match(await tool('ruff', 'check', '.'), /^All checks passed!/);
    assert.match(await tool('mypy', '--cache-dir', '/dev/null', '.'), /^Success: no issues found/);
  });

  it('fails mypy when a handler misspells a field', async () => {
    const folder = await temporaryFolder({
      'wrong.py': 'from messages import GreetRequest\n\nGreetRequest(name="Ada").nam\nGreetRequest(nam="Ada")\n',
    });
    const found = await tool('mypy', '--cache-dir', '/dev/null', path.join(folder.path, 'wrong.py'));
    await folder.remove();
    assert.match(found, /wrong\.py:3: error: "GreetRequest" has no attribute "nam"/);
    assert.match(found, /wrong\.py:4: error: Unexpected keyword argument "nam"/);
  });

  it('is installed and passes its own tests', async () => {
    await scaffolded.run('Install');
    assert.match(await scaffolded.run('Test'), /Ran 5 tests[^]*\nOK$/);
  });

  it('is served, published and called with the commands of its README', async () => {
    const endpoint = await scaffolded.serve();
    const { port } = new URL(endpoint);
    const again = ['serve.py', '--port', port];
    const { stderr } = await promisify(execFile)(venv.python, again, {
      cwd: scaffolded.folder,
      env: venv.env,
    }).catch((error: unknown) => error as { stderr: string });
    assert.equal(
      stderr,
      `cannot listen on 127.0.0.1:${port}, which may be in use: give another --port, or 0 for a free one\n`,
    );
    const printed = await scaffolded.run('Publish and call');
    assert.match(printed, /Hello, Ada!"[^]*Hello, Ada!"[^]*Hello, Grace!"/);
    const read = await scaffolded.acme.get('/api/v1/packages/acme/big-greeter/1.0.0');
    assert.equal((read.body as { verification?: string }).verification, 'verified');
    await checkNodes(scaffolded);
  });

  it('serves with TLS and a token, and rejects invalid calls', () => checkRefusals(scaffolded));

  it('reports a missing handler, message or requirement in one line', async () => {
    const copied = await temporaryFolder({});
    await cp(scaffolded.folder, copied.path, { recursive: true });
    const served = async (...options: string[]): Promise<string> => {
      const run = promisify(execFile)(venv.python, [...options, 'serve.py'], { cwd: copied.path, env: venv.env });
      return run.then(
        () => assert.fail('it serves'),
        (error: unknown) => (error as { stderr: string }).stderr,
      );
    };
    // Without site-packages.
    assert.equal(
      await served('-S'),
      'this Python does not have the requirements of the container: run serve.py with .venv/bin/python, ' +
        'or install them: pip install -r requirements.txt\n',
    );
    const nodes = path.join(copied.path, 'nodes.py');
    await writeFile(nodes, (await readFile(nodes, 'utf8')).replace('"GreetAll": greet_all, ', ''));
    assert.equal(await served(), 'the node GreetAll has no handler\n');
    await writeFile(nodes, (await readFile(nodes, 'utf8')).replace('from messages import ', '$&Decision, '));
    const stale = await served();
    assert.match(stale, /^cannot import name 'Decision' from 'messages' \(.*\): if package\.yaml or a \.proto file has changed/);
    assert.ok(stale.endsWith(`write the messages again: svc node types ${copied.path}\n`), stale);
    await copied.remove();
  });

  it('rejects short, malformed, missing and empty tokens', async () => {
    const file = path.join(scaffolded.folder, 'short');
    await writeFile(file, 'too-short\n');
    const served = (token: string, ...args: string[]): Promise<string> =>
      promisify(execFile)(venv.python, ['serve.py', ...args], {
        cwd: scaffolded.folder,
        env: { ...venv.env, SVC_NODE_TOKEN: token },
      }).then(
        () => assert.fail('it serves'),
        (error: unknown) => (error as { stderr: string }).stderr,
      );
    assert.match(
      await served('a'.repeat(32), '--token-file', file),
      /^the token in .*short is invalid \(it must have 16 to 512 letters, .* openssl rand -hex 32\n$/,
    );
    assert.match(await served('', '--token-file', '/nowhere/token'), /^the token file \/nowhere\/token cannot be read/);
    assert.match(await served('spaces are not for tokens'), /^SVC_NODE_TOKEN is invalid \(/);
    assert.equal(await served(''), 'SVC_NODE_TOKEN is empty: set it to the token, or unset it\n');
  });

  it('refuses to serve when its types and package.yaml differ in version', async () => {
    const copied = await temporaryFolder({});
    await cp(scaffolded.folder, copied.path, { recursive: true });
    const served = (): Promise<string> =>
      promisify(execFile)(venv.python, ['serve.py'], { cwd: copied.path, env: venv.env }).then(
        () => assert.fail('it serves'),
        (error: unknown) => (error as { stderr: string }).stderr,
      );
    const declaration = path.join(copied.path, 'package.yaml');
    const declared = await readFile(declaration, 'utf8');
    for (const line of ['version: 1.1.0', `"version" : '1.1.0'  # raised`, 'version: "1.1.0"\r']) {
      await writeFile(declaration, declared.replace('version: 1.0.0', line));
      assert.equal(
        await served(),
        'package.yaml declares acme/big-greeter@1.1.0, but messages.py is of acme/big-greeter@1.0.0: ' +
          `write the messages again: svc node types ${copied.path}\n`,
      );
    }
    // In both cases no other version is declared, so the next check fails.
    const nodes = path.join(copied.path, 'nodes.py');
    await writeFile(nodes, (await readFile(nodes, 'utf8')).replace('"GreetAll": greet_all, ', ''));
    await writeFile(declaration, `# version: 1.1.0\n${declared}`);
    assert.equal(await served(), 'the node GreetAll has no handler\n');
    await rm(declaration);
    assert.equal(await served(), 'the node GreetAll has no handler\n');
    await copied.remove();
  });

  it('fails a call whose handler exits, raises a KeyError, or returns where it must yield', async () => {
    const file = path.join(scaffolded.folder, 'nodes.py');
    const kept = await readFile(file, 'utf8');
    const start = '    if not request.name:\n        # Not retryable';
    const wrong = [
      '    if request.name == "exit":',
      '        raise SystemExit(3)',
      '    if request.name == "secret":',
      '        context.log("info", context.secrets["NOPE"])',
      '',
    ];
    const returning = '"GreetAll": lambda requests, context: GreetReply()';
    await writeFile(
      file,
      kept.replace(start, wrong.join('\n') + start).replace('"GreetAll": greet_all', returning),
    );
    const pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
    try {
      const endpoint = await scaffolded.serve();
      const call = async (name: string): Promise<string> => {
        const input = Uint8Array.of(0x0a, name.length, ...Buffer.from(name));
        const context = { packageName: 'acme/big-greeter', packageVersion: '1.0.0' };
        const outcome = await pool.invoke(endpoint, nodeInvocation('Greet', input, context), within(20_000));
        return 'message' in outcome ? outcome.message : outcome.kind;
      };
      assert.equal(await call('exit'), 'SystemExit: 3');
      assert.equal(await call('secret'), "KeyError: 'NOPE'");
      assert.equal(await call('Ada'), 'output');
      const stream = await jsonStreams(pool, scaffolded.folder, endpoint);
      await assert.rejects(stream('GreetAll', [{ name: 'Ada' }]), /GreetAll must yield its outputs, not return one/);
    } finally {
      pool.close();
      await writeFile(file, kept);
    }
  });

  it('ends a call whose handler fails or pauses with invalid values', async () => {
    const endings: [name: string, code: string, message: string | RegExp][] = [
      ['set', 'context.fail("x", payload={1})', /^the payload of a failure is not a JSON value: .* set /],
      ['nan', 'context.fail("x", payload=[float("nan")])', /^the payload of a failure is not a JSON value: Out of /],
      ['loop', 'loop = []; loop.append(loop); context.fail("x", payload=loop)', /not a JSON value: Circular/],
      ['time', 'context.pause({"at": datetime.now()})', /^the question of a pause is not a JSON value: .* datetime /],
      [
        'negative',
        'context.pause("a", timeout_seconds=-1)',
        'timeout_seconds of a pause must be from 0 to 4294967295 seconds, got -1',
      ],
      [
        'fraction',
        'context.pause("a", escalate_after_seconds=1.5)',
        'escalate_after_seconds of a pause must be a whole number of seconds, got 1.5',
      ],
      [
        'type',
        'context.pause("a", resume_schema=GreetReply)',
        /^resume_schema of a pause must be a message's full name, got <class/,
      ],
      ['half', 'context.fail("half \\ud800.", payload="\\udfff")', 'half \ufffd.'],
      ['text', 'raise ValueError("half \\ud800.")', 'half \ufffd.'],
      ['mute', 'raise Mute', 'the node failed: Mute'],
      ['changed', 'pause = NodePause("a"); pause.timeout_seconds = -1; raise pause', 'the node failed'],
      ['log', 'context.log("info", "half \\ud800."); context.fail("logged")', 'logged'],
    ];
    const source = `
from datetime import datetime
from svc_node import NodePause


class Mute(Exception):
    def __str__(self):
        raise RuntimeError


def ending(request, context):
    match request.name:
${endings.map(([name, code]) => `        case "${name}":\n            ${code}\n`).join('')}
    return GreetReply()

`;
    const file = path.join(scaffolded.folder, 'nodes.py');
    const kept = await readFile(file, 'utf8');
    const changed = kept.replace('HANDLERS: Handlers', `${source}HANDLERS: Handlers`).replace('"Greet": greet,', '"Greet": ending,');
    await writeFile(file, changed);
    const pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
    try {
      const endpoint = await scaffolded.serve();
      for (const [name, , message] of endings) {
        const input = Uint8Array.of(0x0a, name.length, ...Buffer.from(name));
        const outcome = await pool.invoke(endpoint, nodeInvocation('Greet', input), within(20_000));
        const text = outcome.kind === 'failure' ? outcome.message : JSON.stringify(outcome);
        if (typeof message === 'string') assert.equal(text, message, name);
        else assert.match(text, message, name);
      }
    } finally {
      pool.close();
      await writeFile(file, kept);
    }
  });

  it('regenerates identical types', async () => {
    const file = path.join(scaffolded.folder, 'messages.pyi');
    const before = await readFile(file, 'utf8');
    await scaffolded.run('Types');
    assert.equal(await readFile(file, 'utf8'), before);
  });
});

suiteNeeds('python', 'the Python types of a package', function () {
  this.timeout(PYTHON_VENV_TIMEOUT_MS);
  let venv: PythonVenv;
  let folder: TemporaryFolder;
  before(async () => {
    venv = await pythonVenv();
    folder = await temporaryFolder({});
    await cp(path.join(projectRoot, 'fixtures/packages/acme-echo'), folder.path, { recursive: true });
    await cp(host, path.join(folder.path, 'svc_node'), { recursive: true });
    await cp(path.join(host, '../pyproject.toml'), path.join(folder.path, 'pyproject.toml'));
    const { code, stderr } = await runInProcess(['node', 'types', folder.path, '--language', 'python'], {});
    assert.equal(code, 0, stderr);
  });
  after(() => folder.remove());

  it('cover every kind of field', async () => {
    const program = [
      'from messages import Color, Everything, Kinds, Part',
      '',
      'everything = Everything(text="a", color="COLOR_RED", totals={"a": 1}, chosen_text="b")',
      'everything.child.text = "c"',
      'everything.at.FromSeconds(5)',
      'everything.by_id[3].text = "d"',
      'everything.numbers.append(2**63 - 1)',
      'kinds = Kinds(parts=[Part(name="p")], by_flag={True: Color.COLOR_RED})',
      'assert Everything.FromString(everything.SerializeToString()) == everything',
      'print(everything.color, everything.WhichOneof("choice"), kinds.by_flag[True], kinds.parts[0].name)',
      '',
    ].join('\n');
    await writeFile(path.join(folder.path, 'program.py'), program);
    const options = { cwd: folder.path, env: venv.env };
    const { stdout } = await promisify(execFile)(venv.python, ['program.py'], options);
    assert.equal(stdout, '1 chosen_text 1 p\n');
    const checked = await promisify(execFile)(
      venv.python,
      ['-m', 'mypy', '--cache-dir', '/dev/null', 'program.py', 'messages.pyi'],
      options,
    ).catch((error: unknown) => error as { stdout: string });
    assert.match(checked.stdout, /^Success/);
  });

  it('support fields named self or like a type', async () => {
    const named = await temporaryFolder({
      'package.yaml': 'name: acme/own\nversion: 1.0.0\nnodes: [{name: Own, input: own.Own, output: own.Short}]\n',
      'own.proto': `syntax = "proto3"; package own;
message Short { string self = 1; }
message Own { string self = 1; string _self = 2; string name = 3; string description = 4; string place = 5; }
message Types {
  string str = 1; string name = 2; int32 int = 3; repeated int32 counts = 4; bool bool = 5; map<bool, string> flags = 6;
  bytes bytes = 7; bytes data = 8; float float = 9; double ratio = 10; string list = 11; string dict = 12; string _str = 13;
  Short Short = 14; repeated Short all = 15; string MutableSequence = 16;
}
`,
      'program.py': 'from messages import Own, Short, Types\n\nprint(Short(self="a").self, Own(self="b", _self="c").self)\n' +
        'types = Types(str="d", name="e", int=1, counts=[2], Short=Short(self="f"))\n' +
        'print(types.name.upper(), types.int + types.counts[0], types.Short.self)\n',
    });
    await cp(host, path.join(named.path, 'svc_node'), { recursive: true });
    const { code, stderr } = await runInProcess(['node', 'types', named.path, '--language', 'python'], {});
    assert.equal(code, 0, stderr);
    const options = { cwd: named.path, env: venv.env };
    const { stdout } = await promisify(execFile)(venv.python, ['program.py'], options);
    assert.equal(stdout, 'a b\nE 3 f\n');
    const checkers: [string, string[], RegExp][] = [
      [venv.python, ['-m', 'mypy', '--strict', '--cache-dir', '/dev/null', '--ignore-missing-imports'], /^Success/],
      [venv.bin('pyright'), ['--pythonpath', venv.python], /^0 errors/],
    ];
    for (const [program, args, clean] of checkers) {
      const checked = await promisify(execFile)(program, [...args, 'program.py', 'messages.pyi'], options).catch(
        (error: unknown) => error as { stdout: string },
      );
      assert.match(checked.stdout, clean);
    }
    await named.remove();
  });
});
