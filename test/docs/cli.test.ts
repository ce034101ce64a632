import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { type CommandNode, commandTree } from '../../service/cli/completion/command-tree.ts';
import { wholeProgram } from '../../service/cli/all-commands.ts';
import { type BashSession, startBash } from '../support/bash-session.ts';
import { eventually } from '../support/eventually.ts';
import { runInProcess } from '../support/run-svc.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { codesOf, type Page, readPage, rowOf } from './page.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

describe('the commands of svc', () => {
  let commands: CommandNode[];
  before(async () => {
    const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() };
    const all = commandTree(await wholeProgram({ env: {}, ...streams }));
    commands = all.filter(({ path: names }) => names !== '' && !/\bhelp$/.test(names));
    assert.ok(commands.length > 40);
  });

  it('document themselves, their subcommands and their options', async () => {
    for (const { path: names, commands: children, options } of commands) {
      const { code, stdout, stderr } = await runInProcess([...names.split(' '), '--help'], {});
      assert.deepEqual([code, stderr], [0, ''], names);
      assert.ok(stdout.startsWith(`Usage: svc ${names} `), stdout);
      for (const { description } of [...children, ...options]) assert.notEqual(description, '', names);
    }
  });

  it('describe --key and --url consistently', () => {
    const described = (flag: string): Set<string> =>
      new Set(
        commands
          .flatMap(({ options }) => options.filter(({ flags }) => flags.includes(flag)))
          .map(({ description }) => description.replace(/with .* scope/, 'with a scope')),
      );
    assert.deepEqual(
      [...described('--key')],
      ['API key with a scope (default: SVC_API_KEY, or that of svc login)'],
    );
    // A login replaces the stored one, so the stored address is not a default.
    assert.deepEqual(
      described('--url'),
      new Set([
        'URL of the service (default: SVC_BASE_URL, that of svc login, or http://127.0.0.1:8080)',
        'URL of the service (default: SVC_BASE_URL or http://127.0.0.1:8080)',
      ]),
    );
  });

  it('have an example in docs/cli.md', async () => {
    const page = await readPage('docs/cli.md');
    const leaves = commands.filter(({ commands: children }) => children.length === 0);
    const missing = leaves
      .map(({ path: names }) => `svc ${names}`)
      .filter((name) => !exampleOf(page, name)?.includes(name));
    assert.deepEqual(missing, []);
  });

  it('are listed in the table of README.md', async () => {
    const { rows } = await readPage('README.md');
    // Such as `svc key create|list|revoke`. An entry without actions stands for all of them, and so does one that ends in dots.
    const entries = rows
      .flatMap(([name = '']) => codesOf(name))
      .map((code) => /^svc ([a-z|-]+)(?: ([a-z][a-z|-]*)(?![a-z|-]| \.\.\.))?/.exec(code) ?? [])
      .map(([, names = '', actions]) => ({ names: names.split('|'), actions: actions?.split('|') }));
    const isListed = (name: string): boolean => {
      const [command = '', action] = name.split(' ');
      return entries.some(
        ({ names, actions }) =>
          names.includes(command) && (action === undefined || actions?.includes(action) !== false),
      );
    };
    const leaves = commands.filter(({ commands: children }) => children.length === 0);
    assert.deepEqual(
      leaves.map(({ path: names }) => names).filter((name) => !isListed(name)),
      [],
    );
  });
});

suiteNeeds('processes', 'docs/cli.md, run from top to bottom', function () {
  this.timeout(600_000);
  let folder: TemporaryFolder;
  let bash: BashSession;
  const servers: ChildProcess[] = [];
  let login: ChildProcess;
  /** Changes for a second reader on the same machine: ports, and the folder under /tmp. */
  const replaced = new Map<string, string>();
  let env: NodeJS.ProcessEnv;
  /** What the service and the containers print to stderr. */
  let printed = '';

  before(async () => {
    folder = await temporaryFolder({});
    replaced.set('/tmp/', `${folder.path}/`);
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('SVC_'));
    env = {
      ...Object.fromEntries(own),
      SVC_DATA_DIR: path.join(folder.path, 'data'),
      XDG_CONFIG_HOME: path.join(folder.path, 'config'),
    };
    bash = startBash({ cwd: projectRoot, env });
    await bash.run('svc() { ./service/cli/svc "$@"; }');
  });
  after(async () => {
    bash.close();
    for (const server of [...servers, login]) {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    }
    await folder.remove();
  });

  it('runs each example with the expected output', async () => {
    const { text } = await readPage('docs/cli.md');
    const outputs = new Map<string, string>();
    for (const script of scriptsOf(text)) {
      // CI runs the demo by itself.
      if (script === 'svc demo') continue;
      if (/^svc (node )?serve\b/.test(script)) await startServer(script);
      else if (script.startsWith('svc login --url')) await startLogin(script);
      else outputs.set(script, await run(script));
      if (script.startsWith('svc login approve')) assert.deepEqual(await once(login, 'exit'), [0, null]);
      // A reader is slower than the run.
      if (script.startsWith('RUN=')) {
        await eventually(async () =>
          /WAITING[^]*WAITING/.test(await bash.run('svc execution pauses')) ? true : undefined,
        );
      }
    }
    const shown = (name: string): string =>
      [...outputs].find(([script]) => script.startsWith(name))?.[1] ?? '';
    assert.deepEqual(await readdir(path.join(folder.path, 'config/svc')), []);
    assert.match(shown('svc node types'), /greeter\/messages\.ts/);
    assert.match(shown('svc node call'), /"tokens"/);
    assert.match(shown('svc execution list'), /RUNNING/);
    assert.match(shown('svc execution tail'), /HITL_RESUMED[^]*FLOW_COMPLETED/);
    assert.match(shown('svc execution cancel'), /CANCELLED/);
    assert.match(shown('svc client download'), /hello-sdk-ts\.zip\n.*hello-sdk-py\.zip/);
    assert.match(shown('svc completion'), /complete -F/);
  });

  async function run(script: string): Promise<string> {
    return bash.run(adapted(script)).catch((error: unknown) => {
      throw new Error(`${String(error)}\nthe services printed:\n${printed}`);
    });
  }

  function adapted(script: string): string {
    return [...replaced].reduce((text, [from, to]) => text.replaceAll(from, to), script);
  }

  /** Runs a login as on another machine, and reads the code that it shows. */
  async function startLogin(script: string): Promise<void> {
    const [, ...args] = adapted(script).split(' ');
    login = spawn(path.join(projectRoot, 'service/cli/svc'), args, {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [shown] = (await once(createInterface(login.stderr!), 'line')) as [string];
    const [code = ''] = /[A-Z2-9]{4}-[A-Z2-9]{4}/.exec(shown) ?? [];
    replaced.set('WXYZ-2345', code);
  }

  /** Starts a program that the page runs in a separate terminal, on a free port. */
  async function startServer(script: string): Promise<void> {
    const [, ...args] = script.replace(/--port \d+/, '--port 0').split(' ');
    const server = spawn(path.join(projectRoot, 'service/cli/svc'), args, {
      cwd: projectRoot,
      env: { ...env, SVC_PORT: '0', SVC_METRICS_PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    servers.push(server);
    server.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const [address] = (await once(createInterface(server.stdout), 'line')) as [string];
    const [, port] = /--port (\d+)/.exec(script) ?? [];
    replaced.set(port === undefined ? 'http://127.0.0.1:8080' : `grpc://127.0.0.1:${port}`, address);
  }
});

/** The commands of the page in order: blocks, and the examples in the last column of tables. */
function scriptsOf(text: string): string[] {
  const pieces = text.matchAll(/^```sh\n([^]*?)\n```$|^(\| `svc .*\|)$/gm);
  return [...pieces].flatMap(([, block, row]) => {
    if (block !== undefined) return [block];
    const cells = (row ?? '').split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    return codesOf(cells.at(-2) ?? '').filter((code) => code.includes('svc '));
  });
}

function exampleOf(page: Page, name: string): string | undefined {
  return rowOf(page, name)?.at(-1);
}
