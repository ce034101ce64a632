import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackArchive } from '../../service/cli/unpack-archive.ts';
import { readPackageFolder } from '../../service/nodes/package-folder.ts';
import { CARGO_TIMEOUT_MS, cargoEnv, cargoFolder } from '../support/cargo.ts';
import { dotnetEnv } from '../support/dotnet.ts';
import { downloadSdk, everything } from './downloaded-sdk.ts';
import {
  type FixtureContainer,
  fixturePackageFolder,
  startFixtureContainer,
} from '../support/fixture-containers.ts';
import { goEnv } from '../support/go-tools.ts';
import { mavenEnv } from '../support/java-tools.ts';
import { type Caller, type RunningService, startService } from '../support/running-service.ts';
import { suiteNeeds, type Toolchain } from '../support/toolchains.ts';

/** Commands of `MANIFEST.json`. */
interface Manifest {
  setup: string;
  members: { alias: string; example?: string }[];
}

/** TypeScript and Python show more of themselves in `sdk-calls.test.ts`. */
const languages: Record<string, Toolchain> = {
  go: 'go',
  rust: 'rust',
  java: 'java',
  csharp: 'dotnet',
  'typescript-browser': 'chromium',
};

const toolEnv = { ...cargoEnv(), ...goEnv, ...dotnetEnv, ...mavenEnv };

for (const [language, toolchain] of Object.entries(languages)) {
  suiteNeeds(toolchain, `the examples of the ${language} SDK against the running service`, function () {
    this.timeout(CARGO_TIMEOUT_MS);
    let service: RunningService;
    let acme: Caller;
    let container: FixtureContainer;
    let folder: string;
    let key: string;
    let manifest: Manifest;

    before(async () => {
      service = await startService();
      acme = await service.tenant('acme');
      container = await startFixtureContainer('acme-echo');
      const body = await readPackageFolder(fixturePackageFolder('acme-echo'));
      const published = await acme.post('/api/v1/packages', { ...body, endpoint: container.endpoint });
      assert.equal(published.status, 201, JSON.stringify(published.body));
      const { archive, graphId } = await downloadSdk(acme, service.url, language);
      folder = await emptyFolder(language);
      await unpackArchive(archive, folder);
      key = language === 'typescript-browser' ? await appKey(acme, graphId) : acme.key;
      manifest = JSON.parse(await readFile(path.join(folder, 'MANIFEST.json'), 'utf8')) as Manifest;
      const setUp = await run(folder, manifest.setup);
      assert.equal(setUp.code, 0, setUp.output + setUp.errors);
    });
    after(async () => {
      await service.stop();
      await container.stop();
      await rm(folder, { recursive: true, force: true });
    });

    /** The input travels through the environment, so that no shell reads it. */
    function call(alias: string, input: unknown, given = key): ReturnType<typeof run> {
      const example = manifest.members.find((member) => member.alias === alias)?.example;
      assert.ok(example, `no example of ${alias}`);
      const env = { INPUT: JSON.stringify(input), SVC_API_KEY: given, SVC_BASE_URL: service.url };
      return run(folder, `${example} "$INPUT"`, env);
    }

    if (language === 'typescript-browser') {
      it('exclude nodes, which app keys cannot call', () => {
        assert.equal(manifest.members.find(({ alias }) => alias === 'Echo')?.example, undefined);
      });
    } else {
      it('call the node and print its exact output', async () => {
        const { code, output, errors } = await call('Echo', everything);
        assert.equal(code, 0, output + errors);
        assert.deepEqual(JSON.parse(output), everything);
      });
    }

    it('run the flow and print its exact output', async () => {
      const { code, output, errors } = await call('echo-twice', everything);
      assert.equal(code, 0, output + errors);
      assert.deepEqual(JSON.parse(output), everything);
    });

    it('report the class and message of the error for a refused key without printing the key', async () => {
      // The browser SDK takes app keys only.
      const refused = `svcapp_${'f'.repeat(64)}`;
      const { code, output, errors } = await call('echo-twice', {}, refused);
      assert.equal(code, 1, output + errors);
      assert.equal(output.trim(), '');
      assert.match(errors, /(?:^svc: unauthorized|\bUnauthorized(?:Error|Exception)?): \S/m);
      assert.ok(!errors.includes(refused));
    });
  });
}

/** A fixed folder and shared versions of dependencies let cargo reuse earlier builds. */
function emptyFolder(language: string): Promise<string> {
  return language === 'rust'
    ? cargoFolder('sdk-examples')
    : mkdtemp(path.join(tmpdir(), `svc-${language}-examples-`));
}

/** A key that pages of every origin may use. */
async function appKey(acme: Caller, graphId: string): Promise<string> {
  const minted = await acme.post('/api/v1/api-keys', {
    name: 'examples',
    scopes: ['invoke'],
    graph_ids: [graphId],
    allowed_origins: [],
    rate_rps: 50,
    rate_burst: 50,
  });
  assert.equal(minted.status, 201, JSON.stringify(minted.body));
  return minted.body.key as string;
}

function run(
  cwd: string,
  command: string,
  env: Record<string, string> = {},
): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd, env: { ...toolEnv, ...env } }, (error, output, errors) => {
      resolve({ code: error ? Number(error.code) : 0, output, errors });
    });
  });
}
