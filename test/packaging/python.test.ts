import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackArchive } from '../../service/cli/unpack-archive.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { downloadSdk, everything } from '../api/downloaded-sdk.ts';
import {
  type FixtureContainer,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { fencedCode } from './support/fenced-code.ts';
import { type CommandRun, runCommand } from './support/run-command.ts';

/** A program of another project, written with the README alone. */
const program = `
import os, sys
import httpx
from acme_everything_in_python import Client, messages

with Client() as client:
    message = messages.Everything.from_json(os.environ["INPUT"])
    print(client.echo_twice(message).to_json())
    execution = client.start_echo_twice(message)
    assert execution.wait() == message
    assert execution.get().is_terminal
    assert [event.type for event in execution.events()][-1] == "FLOW_COMPLETED"
    assert client.with_raw_response.echo(message).status == 200
assert sys.modules["acme_everything_in_python"].__file__.startswith(sys.prefix)
`;

suiteNeeds('python', 'the Python archive, packaged and installed into another project', function () {
  this.timeout(300_000);
  let service: RunningService;
  let container: FixtureContainer;
  let root: string;
  let archive: string;
  let project: string;
  let readme: string;
  let env: Record<string, string>;

  before(async () => {
    service = await startService();
    const acme = await service.tenant('acme');
    container = await startFixtureContainer('acme-echo');
    const body = await readPackageFolder(fixturePackageFolder('acme-echo'));
    const published = await acme.post('/api/v1/packages', { ...body, endpoint: container.endpoint });
    assert.equal(published.status, 201, JSON.stringify(published.body));
    root = await mkdtemp(path.join(tmpdir(), 'svc-python-package-'));
    archive = path.join(root, 'archive');
    project = path.join(root, 'project');
    await mkdir(project);
    await unpackArchive((await downloadSdk(acme, service.url, 'python')).archive, archive);
    readme = await readFile(path.join(archive, 'README.md'), 'utf8');
    env = {
      SVC_API_KEY: acme.key,
      SVC_BASE_URL: service.url,
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      INPUT: JSON.stringify(everything),
    };
  });
  after(async () => {
    await service.stop();
    await container.stop();
    await rm(root, { recursive: true, force: true });
  });

  async function passes(cwd: string, command: string): Promise<CommandRun> {
    const run = await runCommand(cwd, command, env);
    assert.equal(run.code, 0, `${command}\n${run.output.slice(-4_000)}`);
    return run;
  }

  it('builds a wheel that another project installs and uses to call the service', async () => {
    await passes(archive, `python3 -m pip wheel --quiet --no-deps --wheel-dir "${project}" .`);
    const wheels = (await readdir(project)).filter((name) => name.endsWith('.whl'));
    assert.deepEqual(wheels, ['acme_everything_in_python-1.0.0-py3-none-any.whl']);
    await passes(project, `python3 -m venv .venv && .venv/bin/python -m pip install --quiet ${wheels[0]}`);
    await writeFile(path.join(project, 'program.py'), program);
    const { output } = await passes(project, '.venv/bin/python -W error program.py');
    assert.deepEqual(JSON.parse(output), everything);
  });

  it('runs the commands of its README as printed, and its tests with a dead proxy', async () => {
    const blocks = fencedCode(readme, 'sh');
    assert.ok(blocks.length >= 3, readme);
    const [install = '', test = '', ...others] = (blocks.pop() ?? '').trim().split('\n');
    assert.deepEqual(others, []);
    for (const block of [...blocks, install]) await passes(archive, `set -e\n${block}`);
    const dead = 'http://127.0.0.1:9';
    const proxies = `HTTP_PROXY=${dead} HTTPS_PROXY=${dead} ALL_PROXY=${dead} http_proxy=${dead} NO_PROXY= no_proxy=`;
    assert.match((await passes(archive, `${proxies} ${test}`)).output, /\d+ passed/);
  });

  it('runs the programs of its README as printed', async () => {
    // The fragment with an `AsyncClient` is part of a coroutine.
    const programs = fencedCode(readme, 'python').filter(
      (code) => code.startsWith('from ') && !/^async with /m.test(code),
    );
    assert.ok(programs.length >= 3, readme);
    for (const code of programs) {
      await writeFile(path.join(project, 'from_readme.py'), code);
      await passes(project, '.venv/bin/python -W error from_readme.py');
    }
  });

  it('runs its examples without arguments', async () => {
    const examples = await readdir(path.join(archive, 'examples'));
    assert.deepEqual(examples.sort(), ['echo.py', 'echo_twice.py']);
    for (const example of examples) {
      const { output } = await passes(archive, `.venv/bin/python -W error examples/${example}`);
      assert.equal(typeof JSON.parse(output), 'object');
    }
  });
});
