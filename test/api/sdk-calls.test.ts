import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackArchive } from '../../service/cli/unpack-archive.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { downloadSdk, everything } from './downloaded-sdk.ts';
import {
  type FixtureContainer,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const languages = { typescript: 'npm', python: 'python' } as const;

/** Starts the flow, waits for the run, reads it by its id, and prints the results as JSON. */
const programs: Record<keyof typeof languages, { command: string; text: string }> = {
  typescript: {
    command: 'node start.mjs',
    text: `
import { EverythingInTypescriptClient, fromJson, toJson } from "@acme/everything-in-typescript";
import * as sdk from "@acme/everything-in-typescript";

const client = new EverythingInTypescriptClient();
const type = sdk.everythingType;
const started = await client.startEchoTwice(fromJson(type, process.env.INPUT));
const output = await started.wait();
const execution = client.echoTwiceExecution(started.id);
const { status } = await execution.get();
const events = [];
for await (const event of execution.events({ pageSize: 2 })) events.push(event.type);
console.log(JSON.stringify({ id: started.id, status, events, output: JSON.parse(toJson(type, output)) }));
`,
  },
  python: {
    command: '.venv/bin/python start.py',
    text: `
import asyncio, json, os
from acme_everything_in_python import AsyncClient, Client, messages

async def look(execution_id):
    async with AsyncClient() as client:
        execution = client.echo_twice_execution(execution_id)
        record = await execution.get()
        events = [event.type async for event in execution.events(page_size=2)]
        return record.status, events

with Client() as client:
    execution = client.start_echo_twice(messages.Everything.from_json(os.environ["INPUT"]))
    output = execution.wait()
status, events = asyncio.run(look(execution.id))
print(json.dumps({"id": execution.id, "status": status, "events": events, "output": json.loads(output.to_json())}))
`,
  },
};

for (const language of ['typescript', 'python'] as const) {
  const toolchain = languages[language];
  suiteNeeds(toolchain, `the ${language} SDK against the running service`, function () {
    this.timeout(300_000);
    let service: RunningService;
    let acme: Caller;
    let container: FixtureContainer;
    let folder: string;
    let manifest: { setup: string; members: { alias: string; example: string }[] };

    before(async () => {
      service = await startService();
      acme = await service.tenant('acme');
      container = await startFixtureContainer('acme-echo');
      const body = await readPackageFolder(fixturePackageFolder('acme-echo'));
      const published = await acme.post('/api/v1/packages', { ...body, endpoint: container.endpoint });
      assert.equal(published.status, 201, JSON.stringify(published.body));
      folder = await mkdtemp(path.join(tmpdir(), `svc-${language}-sdk-`));
      const { archive } = await downloadSdk(acme, service.url, language);
      await unpackArchive(archive, folder);
      manifest = JSON.parse(await readFile(path.join(folder, 'MANIFEST.json'), 'utf8')) as typeof manifest;
      const setUp = await run(manifest.setup);
      assert.equal(setUp.code, 0, setUp.output);
    });
    after(async () => {
      await service.stop();
      await container.stop();
      await rm(folder, { recursive: true, force: true });
    });

    function run(
      command: string,
      env: Record<string, string> = {},
    ): Promise<{ code: number; output: string }> {
      return new Promise((resolve) => {
        execFile(
          'sh',
          ['-c', command],
          { cwd: folder, env: { ...process.env, ...env } },
          (error, out, err) => {
            resolve({ code: error ? Number(error.code) : 0, output: out + err });
          },
        );
      });
    }

    function call(input: unknown, key = acme.key): Promise<{ code: number; output: string }> {
      return callMember('Echo', input, key);
    }

    function callMember(
      alias: string,
      input: unknown,
      key = acme.key,
    ): Promise<{ code: number; output: string }> {
      const member = manifest.members.find((each) => each.alias === alias);
      // The input travels through the environment, so that no shell reads it.
      return run(`${member!.example} "$INPUT"`, {
        INPUT: JSON.stringify(input),
        SVC_API_KEY: key,
        SVC_BASE_URL: service.url,
      });
    }

    it('round-trips every kind of value exactly', async () => {
      const { code, output } = await call(everything);
      assert.equal(code, 0, output);
      assert.deepEqual(JSON.parse(output), everything);
    });

    it('returns the same as plain HTTP', async () => {
      const direct = await acme.post('/invocations/v1/nodes/acme/echo/1.0.0/Echo', everything);
      assert.equal(direct.status, 200, JSON.stringify(direct.body));
      const { output } = await call(everything);
      assert.deepEqual(JSON.parse(output), direct.body);
    });

    it('distinguishes an absent field from its default where the proto does', async () => {
      const { output } = await call({ perhaps: '', chosenFlag: false });
      assert.deepEqual(JSON.parse(output), { perhaps: '', chosenFlag: false });
      assert.deepEqual(JSON.parse((await call({})).output), {});
    });

    it('runs a flow and returns its exact output', async () => {
      const { code, output } = await callMember('echo-twice', everything);
      assert.equal(code, 0, output);
      assert.deepEqual(JSON.parse(output), everything);
    });

    it('starts a flow, waits for the run, and retrieves it by id', async () => {
      const { command, text } = programs[language];
      await writeFile(path.join(folder, command.split(' ')[1]!), text);
      const { code, output } = await run(command, {
        INPUT: JSON.stringify(everything),
        SVC_API_KEY: acme.key,
        SVC_BASE_URL: service.url,
      });
      assert.equal(code, 0, output);
      const seen = JSON.parse(output) as { id: string; status: string; events: string[]; output: unknown };
      assert.deepEqual(seen.output, everything);
      assert.equal(seen.status, 'COMPLETED');
      assert.deepEqual(seen.events, [
        'NODE_STARTED',
        'NODE_COMPLETED',
        'EDGE_EVALUATED',
        'NODE_STARTED',
        'NODE_COMPLETED',
        'FLOW_COMPLETED',
      ]);
      const { body } = await acme.get(`/invocations/v1/executions/${seen.id}`);
      assert.equal(body.status, 'COMPLETED');
    });

    it('reports the error of a refused key without printing the key', async () => {
      const key = 'f'.repeat(64);
      const { code, output } = await call({}, key);
      assert.equal(code, 1);
      assert.match(output, /^UnauthorizedError: /);
      assert.ok(!output.includes(key));
    });
  });
}
