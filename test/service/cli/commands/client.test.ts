import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import type { Client } from '../../../../service/cli/find-client.ts';
import { runProgram } from '../../../../service/cli/program.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { type FlowService, startFlowService } from '../../../support/flow-service.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { twoSteps } from '../../../support/step-package.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';

describe('svc client', () => {
  let flows: FlowService;
  let graphId: string;
  let folder: TemporaryFolder;
  let env: Record<string, string>;
  before(async () => {
    flows = await startFlowService();
    graphId = await flows.compile(twoSteps());
    folder = await temporaryFolder({});
    env = { SVC_BASE_URL: flows.service.url, SVC_API_KEY: flows.acme.key };
  });
  after(async () => {
    await flows.stop();
    await folder.remove();
  });

  const svc = (...args: string[]): Promise<Run> => runInProcess(['client', ...args], env);
  async function json<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await svc(...args, '--json');
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout) as T;
  }
  async function refused(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await svc(...args);
    assert.deepEqual([code, stdout], [1, ''], stderr);
    return stderr;
  }

  it('reports that there are no clients yet', async () => {
    assert.equal((await svc('list')).stdout, 'CLIENT  NAME  MEMBERS  VERSION  LANGUAGE  ID\n');
    assert.equal(
      await refused('get', 'lost'),
      'svc: no client "lost": there are none yet, create one with svc client create <name>\n',
    );
  });

  it('creates a client with its members, and finds it by name, slug and id', async () => {
    const { code, stdout, stderr } = await svc(
      'create',
      'Desk Tools',
      'acme/steps/Step',
      graphId,
      '--language',
      'go',
    );
    assert.deepEqual([code, stderr], [0, 'created client desk-tools with 2 members\n']);
    assert.match(
      stdout,
      /^client +desk-tools\nname +Desk Tools\nid +\S+\ndefault language +go\nmembers +Step, Two steps\n$/,
    );
    const [{ id = '' } = {}] = await json<{ id?: string }[]>('list');
    for (const given of ['Desk Tools', 'desk-tools', id])
      assert.equal((await json<Client>('get', given)).id, id);
    const shown = await svc('get', 'desk-tools');
    assert.match(shown.stdout, /^Step +node +acme\/steps@1\.0\.0\/Step +\S+$/m);
    assert.match(shown.stdout, new RegExp(`^Two steps +flow +${graphId} \\(Two steps\\) +\\S+$`, 'm'));
    assert.doesNotMatch(shown.stdout, /STATUS/);
  });

  it('creates a client with custom aliases', async () => {
    const named = ['create', 'Named', 'acme/steps/Step', graphId, 'acme/steps/Again'];
    const { members } = await json<Client>(...named, '--alias', 'one', '--alias', 'two');
    assert.deepEqual(members.map(({ alias }) => alias).sort(), ['Again', 'one', 'two']);
    await svc('delete', 'named');
    assert.match(
      await refused(...named, '--alias', 'one', '--alias', 'one'),
      new RegExp(
        `^svc: cannot add the flow "${graphId}": .* choose one other than "one" with --alias <name>\n$`,
      ),
    );
    const many = await svc('create', 'Named', 'acme/steps/Step', '--alias', 'one', '--alias', 'two');
    assert.equal(many.code, 2);
    assert.match(
      many.stderr,
      /^svc: there are more aliases \(2\) than members \(1\): each --alias names one member/,
    );
  });

  it('creates nothing when a member is refused', async () => {
    const before = await json<object[]>('list');
    assert.match(
      await refused('create', 'Half', 'acme/steps/Step', 'acme/steps/Lost'),
      /^svc: cannot add the node "acme\/steps\/Lost": node not found: acme\/steps 1\.0\.0 has no node "Lost": it has Step\b.*\n$/,
    );
    assert.match(
      await refused('create', 'Half', 'nograph'),
      /cannot add the flow "nograph": flow not found: run svc flow list/,
    );
    const malformed = await svc('create', 'Half', 'acme/steps');
    assert.equal(malformed.code, 2);
    assert.match(malformed.stderr, /"acme\/steps" is not a member: give a node as owner\/package\/node or /);
    assert.deepEqual(await json('list'), before);
  });

  it('reports a refused member, and a client that remains because it cannot be deleted', async () => {
    await using proxy = await startWithoutDelete(flows.service.url);
    const { code, stdout, stderr } = await runInProcess(['client', 'create', 'Kept', 'acme/steps/Lost'], {
      ...env,
      SVC_BASE_URL: proxy.url,
    });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^client kept remains without all of its members, because it could not be deleted: remove it with svc client delete kept\nsvc: cannot add the node "acme\/steps\/Lost": node not found: /,
    );
    assert.deepEqual((await json<Client>('get', 'kept')).members, []);
    assert.equal((await svc('delete', 'kept')).stderr, 'deleted client Kept\n');
  });

  it('refuses a taken name and an unknown language', async () => {
    await json('create', 'Taken');
    assert.equal(
      await refused('create', 'Taken'),
      'svc: a client with that name already exists: choose another name; run svc client list to see those that are taken\n',
    );
    const { code, stderr } = await svc('create', 'Other', '--language', 'cobol');
    assert.equal(code, 2);
    assert.match(stderr, /^svc: unsupported language "cobol": use one of csharp, go, /);
    const downloaded = await svc('download', 'built', '--language', 'ruby');
    assert.match(downloaded.stderr, /^svc: unsupported language "ruby": use one of csharp, go, /);
  });

  it('adds and removes members', async () => {
    await json('create', 'Parts');
    const added = await json<Client['members'][0]>('add', 'parts', 'acme/steps/1.0.0/Step', '--alias', 'one');
    assert.deepEqual([added.alias, added.package_version, added.node_name], ['one', '1.0.0', 'Step']);
    assert.match((await svc('get', 'parts')).stdout, /^one +node +acme\/steps@1\.0\.0\/Step +\S+$/m);
    assert.equal(
      await refused('add', 'parts', 'acme/steps/Again', '--alias', 'one'),
      'svc: cannot add the node "acme/steps/Again": a member with that alias already exists — pass a distinct alias: ' +
        'choose one other than "one" with --alias <name>\n',
    );
    assert.match(
      (await svc('add', 'parts', graphId)).stdout,
      new RegExp(`^alias +Two steps\nflow +${graphId}\n`),
    );
    const next = await flows.compile(twoSteps({ description: 'Changed.' }));
    assert.equal(
      await refused('add', 'parts', next),
      `svc: cannot add the flow "${next}": the alias "Two steps" belongs to another version of the same flow, ${graphId}: ` +
        'remove that member first (svc client remove), or pass a distinct alias: choose one with --alias <name>\n',
    );
    assert.equal(
      await refused('remove', 'parts', 'two'),
      'svc: client parts has no member "two": its members are one, Two steps\n',
    );
    assert.equal((await svc('remove', 'parts', 'one')).stderr, 'removed one from parts\n');
    const { members } = await json<Client>('get', 'parts');
    assert.equal((await svc('remove', 'parts', members[0]?.id ?? '')).code, 0);
    assert.match(await refused('remove', 'parts', 'one'), /its members are none/);
  });

  itSlow('builds, waits, and downloads the result', async function () {
    this.timeout(60_000);
    await json('create', 'Built', 'acme/steps/Step');
    assert.match(
      await refused('download', 'built'),
      /^svc: client built has no SDK to download: build it with svc client build built\n$/,
    );
    assert.equal(
      await refused('download', 'built', '--version', '7'),
      'svc: client built has no version 7: build one with svc client build built\n',
    );
    const built = await svc('build', 'built', '--language', 'go', '--language', 'python');
    assert.equal(built.code, 0, built.stderr);
    assert.match(built.stdout, /^VERSION +LANGUAGE +STATUS +ERROR\n(1 +(go|python) +succeeded +-\n){2}$/);
    // A pipe gets no progress.
    assert.equal(built.stderr, 'download with svc client download built\n');

    const out = path.join(folder.path, 'new', 'folder');
    const all = await svc('download', 'built', '--output', out);
    assert.equal(all.code, 0, all.stderr);
    const files = ['built-sdk-go.zip', 'built-sdk-py.zip'];
    assert.deepEqual(
      all.stdout.trim().split('\n').sort(),
      files.map((file) => path.join(out, file)),
    );
    assert.deepEqual((await readdir(out)).sort(), files);
    assert.ok('go.mod' in unzipSync(await readFile(path.join(out, 'built-sdk-go.zip'))));

    const [one] = await json<object[]>(
      'download',
      'built',
      '--language',
      'go',
      '--version',
      '1',
      '--output',
      out,
    );
    assert.deepEqual(one, { language: 'go', version: 1, file: path.join(out, 'built-sdk-go.zip') });
    assert.match(
      await refused('download', 'built', '--language', 'rust', '--output', out),
      /^svc: version 1 of client built in rust: version not found: build it with svc client build built --language rust/,
    );
    assert.equal(
      await refused('download', 'built', '--version', '7'),
      'svc: client built has no version 7: its latest version is 1\n',
    );
    assert.match(
      await refused('download', 'built', '--output', '/proc/none'),
      /^svc: cannot create \/proc\/none: /,
    );

    const more = await json<Client['versions']>('build', 'built', '--language', 'rust', '--version', '1');
    assert.deepEqual(
      more.map((row) => [row.version, row.status]),
      [[1, 'succeeded']],
    );
    assert.match(
      await refused('build', 'built', '--version', '9'),
      /client built: version not found: its latest version is 1/,
    );
  });

  itSlow('shows the progress of a build on a terminal', async function () {
    this.timeout(60_000);
    await json('create', 'Watched', 'acme/steps/Step');
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const terminal = { env, stdin: Readable.from([]), stdout: new PassThrough(), stderr };
    assert.equal(await runProgram(terminal, ['client', 'build', 'watched', '--language', 'python']), 0);
    const shown = await text(stderr.end());
    assert.ok(shown.includes('[....................] 0/1 building python'), shown);
    assert.ok(shown.includes('built version 1\n'), shown);
  });

  it('does not wait with --no-wait', async () => {
    await json('create', 'Hasty', 'acme/steps/Step');
    const rows = await json<Client['versions']>('build', 'hasty', '--no-wait');
    const again = await svc('build', 'hasty', '--no-wait');
    assert.match(again.stdout, /^2 +typescript +pending/m);
    assert.equal(
      again.stderr,
      'created version 2; to add a language to an existing version, pass --version, for example svc client build hasty --language <language> --version 2\n',
    );
    assert.deepEqual(
      rows.map(({ language, status }) => [language, status]),
      [['typescript', 'pending']],
    );
  });

  it('refuses a build without members, in an unknown language or of an invalid version', async () => {
    await json('create', 'Empty');
    assert.match(
      await refused('build', 'empty'),
      /^svc: client has no members — add at least one node or flow\n$/,
    );
    await json('add', 'empty', 'acme/steps/Step');
    const golang = await svc('build', 'empty', '--language', 'golang');
    assert.equal(golang.code, 2);
    assert.match(golang.stderr, /^svc: unsupported language "golang": use one of csharp, go, /);
    const { code, stderr } = await svc('build', 'empty', '--version', 'v1');
    assert.equal(code, 2);
    assert.match(stderr, /--version must be a number from 1, not "v1"/);
  });

  it('deletes a client, and lists the others when it no longer exists', async () => {
    await json('create', 'Gone');
    assert.equal((await svc('delete', 'gone')).stderr, 'deleted client Gone\n');
    assert.match(
      await refused('delete', 'gone'),
      /^svc: no client "gone": run svc client list to see what there is \((\S+, ){2}.*\)\n$/,
    );
  });
});

/** A proxy that forwards every request to a service, except DELETE, which it answers with 502. */
async function startWithoutDelete(target: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '/', headers } = request;
      const body = await buffer(request);
      if (method === 'DELETE') return response.writeHead(502).end();
      const answer = await fetch(target + url, {
        method,
        headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
        ...(body.length > 0 && { body }),
      });
      return response.writeHead(answer.status).end(await answer.text());
    })();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
