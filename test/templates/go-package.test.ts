import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { language } from '../../generator/languages/go/language.ts';
import type { PackageTypes } from '../../generator/model/package-types.ts';
import { createContainerPool } from '../../service/nodes/container/container-pool.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { compileProtos } from '../../service/messages/compile/compile-protos.ts';
import { runProtocPlugin } from '../../service/nodes/serve/run-protoc-plugin.ts';
import { downloadGoModules, goEnv, runGo, STATICCHECK_TIMEOUT_MS, staticcheckProgram } from '../support/go-tools.ts';
import {
  checkNodes,
  checkRefusals,
  type ScaffoldedPackage,
  scaffoldPackage,
} from '../support/scaffolded-package.ts';
import { nodeInvocation, within } from '../support/node-invocation.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const template = path.join(projectRoot, 'templates/go/package');

suiteNeeds('go', 'the protocol of the host library in Go', function () {
  this.timeout(STATICCHECK_TIMEOUT_MS);

  it('is generated from node_container.proto', async () => {
    const source = await readFile(path.join(projectRoot, 'service/nodes/node_container.proto'), 'utf8');
    const descriptorSet = await compileProtos({ 'node_container.proto': source });
    const parameter = (): string => 'module=greeter,Mnode_container.proto=greeter/svcnode/protocol';
    const [made] = await runProtocPlugin(
      { ...language.handlerPlugin!, parameter },
      { descriptorSet } as PackageTypes,
      template,
    );
    assert.equal(await readFile(path.join(template, made!.path), 'utf8'), made!.content);
  });
});

suiteNeeds('go', 'a new package in Go', function () {
  this.timeout(STATICCHECK_TIMEOUT_MS);
  let scaffolded: ScaffoldedPackage;
  before(async () => {
    scaffolded = await scaffoldPackage('go', { ...process.env, ...goEnv });
    await scaffolded.run('Types');
    // The commands of the first test would print what they download.
    await downloadGoModules(scaffolded.folder);
  });
  after(() => scaffolded.close());

  /** Replaces main.go with a program of test/templates/go/package. */
  async function writeMain(file: string): Promise<void> {
    const main = path.join(scaffolded.folder, 'main.go');
    const source = await readFile(path.join(projectRoot, 'test/templates/go/package', file), 'utf8');
    await writeFile(main, withEmbed(source, await readFile(main, 'utf8')));
  }

  it('is formatted and clean under go vet and staticcheck', async () => {
    const { folder } = scaffolded;
    assert.deepEqual(await runGo('gofmt', ['-l', '.'], folder), { code: 0, output: '' });
    assert.deepEqual(await runGo('go', ['vet', './...'], folder), { code: 0, output: '' });
    const staticcheck = await staticcheckProgram();
    assert.deepEqual(await runGo(staticcheck, ['-checks', 'all,-ST1000', './...'], folder), {
      code: 0,
      output: '',
    });
  });

  it('passes its own test', async () => {
    assert.match(await scaffolded.run('Test'), /^ok\s+acme\/big-greeter\s/m);
  });

  it('is served, published and called with the commands of its README', async () => {
    await scaffolded.serve();
    const printed = await scaffolded.run('Publish and call');
    assert.match(printed, /Hello, Ada!"[^]*Hello, Ada!"[^]*Hello, Grace!"/);
    const read = await scaffolded.acme.get('/api/v1/packages/acme/big-greeter/1.0.0');
    assert.equal((read.body as { verification?: string }).verification, 'verified');
    await checkNodes(scaffolded);
  });

  it('serves with TLS and a token, and rejects invalid calls', () => checkRefusals(scaffolded));

  it('rejects short, malformed and empty tokens', async () => {
    const { folder } = scaffolded;
    const file = path.join(folder, 'short');
    await writeFile(file, 'too-short\n');
    const started = (token: string, ...args: string[]): Promise<{ output: string }> =>
      runGo('env', [`SVC_NODE_TOKEN=${token}`, 'go', 'run', '.', ...args], folder);
    assert.match(
      (await started('a'.repeat(32), '--token-file', file)).output,
      /^the token in .*short is invalid \(it must have 16 to 512 letters, .* openssl rand -hex 32$/m,
    );
    assert.match((await started('spaces are not for tokens')).output, /^SVC_NODE_TOKEN is invalid \(/m);
    assert.match(
      (await started('')).output,
      /^SVC_NODE_TOKEN is empty: set it to the token, or unset it$/m,
    );
  });

  it('reports an invalid option without printing the usage', async () => {
    const { folder } = scaffolded;
    assert.match(
      (await runGo('go', ['run', '.', '--token-file', 'nofile'], folder)).output,
      /^--token-file: open nofile: no such file or directory$/m,
    );
    const { output } = await runGo('go', ['run', '.', '--port', 'abc'], folder);
    assert.match(output, /tcp\/abc: unknown port/);
    assert.doesNotMatch(output, /Usage/);
  });

  it('writes unexpected handler errors to stderr, and fails calls that return no message', async () => {
    const { folder } = scaffolded;
    await writeMain('broken.go');
    const printed = path.join(folder, 'stderr');
    const endpoint = await scaffolded.serve(`2>${printed}`);
    const pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
    const call = async (node: string, name = ''): Promise<string> => {
      const input = Uint8Array.of(0x0a, name.length, ...Buffer.from(name));
      const outcome = await pool.invoke(endpoint, nodeInvocation(node, input), within(20_000));
      return 'message' in outcome ? outcome.message : outcome.kind;
    };
    try {
      assert.match(await call('Greet'), /^the handler panicked: .*nil pointer dereference$/);
      assert.equal(await call('Welcome', 'error'), 'the shop is closed');
      assert.equal(await call('Welcome', 'failure'), 'the name is taken');
      assert.equal(await call('Welcome'), 'Welcome returned no message and no error');
      const { context } = nodeInvocation('GreetAll', new Uint8Array());
      const stream = await pool.stream(endpoint, context, within(20_000));
      assert.ok('next' in stream, JSON.stringify(stream));
      assert.match(JSON.stringify(await stream.next()), /GreetAll returned no message and no error/);
    } finally {
      pool.close();
    }
    const stderr = await readFile(printed, 'utf8');
    const execution = 'execution 0123456789abcdef0123456789abcdef';
    assert.match(
      stderr,
      new RegExp(`^Greet failed in ${execution}: the handler panicked: [^]*\\n\t\\S*/main\\.go:\\d+`),
    );
    assert.deepEqual(stderr.match(/^(?:Welcome|GreetAll) failed .*$/gm), [
      `Welcome failed in ${execution}: the shop is closed`,
      `Welcome failed in ${execution}: Welcome returned no message and no error`,
      `GreetAll failed in ${execution}: GreetAll returned no message and no error`,
    ]);
  });

  it('ends a call whose handler fails or pauses with invalid values', async () => {
    await writeMain('broken.go');
    const endpoint = await scaffolded.serve();
    const pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
    const call = (name: string) => {
      const input = Uint8Array.of(0x0a, name.length, ...Buffer.from(name));
      return pool.invoke(endpoint, nodeInvocation('Welcome', input), within(20_000));
    };
    const failure = (message: string, retryable = true) => ({
      kind: 'failure',
      message,
      retryable,
      payloadJson: '',
    });
    try {
      assert.deepEqual(await call('empty'), failure('the node failed without a message'));
      assert.deepEqual(await call('bytes'), failure('half \ufffd.', false));
      assert.deepEqual(
        await call('payload'),
        failure(
          'taken (without its payload, which is not a JSON value: json: unsupported value: NaN)',
          false,
        ),
      );
      assert.deepEqual(
        await call('negative'),
        failure('Timeout of a pause must be from 0 to 4294967295 seconds, got -5s'),
      );
      assert.deepEqual(
        await call('question'),
        failure('the question of a pause is not a JSON value: json: unsupported type: chan int'),
      );
      const paused = await call('half');
      assert.ok(paused.kind === 'pause', JSON.stringify(paused));
      assert.deepEqual([paused.timeoutSeconds, paused.escalateAfterSeconds], [1, 1]);
      // A nil pointer is an error whose method panics.
      assert.deepEqual(await call('nil'), failure('<nil>'));
    } finally {
      pool.close();
    }
  });

  it('serves generic nodes for their Instances', async () => {
    const { folder, acme } = scaffolded;
    const declared = await readFile(path.join(folder, 'package.yaml'), 'utf8');
    await writeFile(
      path.join(folder, 'package.yaml'),
      `${declared.replace('version: 1.0.0', 'version: 1.1.0').trimEnd()}
  - {name: Turn, kind: generic, generic: [input, output]}
  - {name: Fill, kind: generic, generic: [output], input: acme.big_greeter.v1.GreetRequest}
  - {name: Name, kind: generic, generic: [input], output: acme.big_greeter.v1.GreetReply}
  - {name: TurnAll, kind: generic, generic: [input, output], mode: pipeline}
  - {name: Wrong, kind: generic, generic: [input, output]}
`,
    );
    await writeMain('generic.go');
    assert.deepEqual(await runGo('gofmt', ['-l', '.'], folder), { code: 0, output: '' });
    const endpoint = await scaffolded.serve();
    const published = await acme.post('/api/v1/packages', { ...(await readPackageFolder(folder)), endpoint });
    assert.deepEqual(
      [published.status, (published.body as { verification?: string }).verification],
      [201, 'verified'],
      JSON.stringify(published.body),
    );

    const thing = (message_name: string, ...names: string[]): object => ({
      message_name,
      fields: Object.fromEntries(names.map((name) => [name, 'string'])),
    });
    const egg = thing('Egg', 'text', 'shell');
    const bind = async (generic_node: string, ports: object): Promise<void> => {
      const made = await acme.post('/api/v1/instances', {
        generic_package: 'acme/big-greeter',
        generic_node,
        name: 'acme/eggs',
        ...ports,
      });
      assert.equal(made.status, 201, JSON.stringify(made.body));
    };
    for (const node of ['Turn', 'TurnAll', 'Wrong'])
      await bind(node, { input: egg, output: thing('Hen', 'text') });
    await bind('Fill', { output: egg });
    await bind('Name', { input: egg });
    const call = async (node: string, input: object): Promise<unknown> =>
      (await acme.post(`/invocations/v1/nodes/acme/eggs/0.1.0/${node}`, input)).body;
    assert.deepEqual(await call('Turn', { text: 'x', shell: 'brown' }), { text: 'x' });
    assert.deepEqual(await call('Fill', { name: 'Ada' }), { text: 'Ada' });
    assert.deepEqual(await call('Name', { text: 'x' }), { text: 'acme.eggs.Egg' });
    assert.match(String(await call('TurnAll', { text: 'y', shell: 'white' })), /"payload":\{"text":"y"\}/);
    assert.deepEqual(await call('Wrong', { text: 'x' }), {
      error_message: 'Wrong returned a acme.eggs.Egg, not a acme.eggs.Hen',
    });
    const { executions } = (await acme.get('/invocations/v1/executions?limit=100')).body as {
      executions: { execution_id: string; node_fqn: string }[];
    };
    const turned = executions.find((each) => each.node_fqn === 'acme/eggs/0.1.0/Turn')?.execution_id ?? '';
    const history = await acme.get(`/invocations/v1/executions/${turned}/events`);
    assert.match(JSON.stringify(history.body), /"log_message":"bound by acme\/eggs@0\.1\.0"/);

    const pool = createContainerPool({ allowedHosts: [{ host: '127.0.0.1' }] });
    try {
      const context = { packageName: 'acme/big-greeter', packageVersion: '1.1.0' };
      for (const [binding, refusal] of [
        [undefined, /FAILED_PRECONDITION: the input of Turn is generic, .*: call an Instance/],
        [
          { instance: 'acme/eggs@1', descriptorSet: Uint8Array.of(255) },
          /INVALID_ARGUMENT: the binding of acme\/eggs@1 cannot be read/,
        ],
        [
          { instance: 'acme/eggs@1', descriptorSet: new Uint8Array(), inputMessage: 'a.B' },
          /INVALID_ARGUMENT: the binding of acme\/eggs@1 does not define a\.B/,
        ],
      ] as const) {
        const invocation = nodeInvocation('Turn', new Uint8Array(), {
          ...context,
          ...(binding && { binding }),
        });
        const outcome = await pool.invoke(endpoint, invocation, within(20_000));
        assert.match('message' in outcome ? outcome.message : outcome.kind, refusal);
      }
    } finally {
      pool.close();
    }
  });
});

/** The program `source` with the embedded files of the module's own main.go. */
function withEmbed(source: string, main: string): string {
  const embed = /\/\/go:embed[^\n]*\n[^\n]*\n/.exec(main)?.[0] ?? assert.fail(main);
  const [, module = ''] = /"([^"]+)\/svcnode"/.exec(main) ?? [];
  return source
    .replace('import (\n', 'import (\n\t_ "embed"\n')
    .replaceAll('"greeter/', `"${module}/`)
    .replace('func main()', () => `${embed}\nfunc main()`);
}
