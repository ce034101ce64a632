import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { unpackArchive } from '../../../service/cli/unpack-archive.ts';
import { readPackageFolder } from '../../../service/nodes/package-folder.ts';
import { downloadSdk } from '../../api/downloaded-sdk.ts';
import { fixturePackageFolder, startFixtureContainer } from '../../support/fixture-containers.ts';
import { type Caller, startService } from '../../support/running-service.ts';
import { fencedCode } from './fenced-code.ts';

/** Output and exit code of a command. */
interface CommandRun {
  code: number;
  /** `stdout`, then `stderr`. */
  output: string;
}

/** The part of `MANIFEST.json` that the suites use. */
interface ArchiveManifest {
  setup: string;
  test: string;
  members: { alias: string; example?: string }[];
}

/**
 * A running service with a container, and the archive of a client with the node `Echo` and the flow `echo-twice`. It is unpacked
 * where the READMEs of archives expect it: at `path/to/the/unpacked/archive` of a second project.
 */
export interface ArchiveScene {
  acme: Caller;
  serviceUrl: string;
  graphId: string;
  /** Folder of the second project. */
  project: string;
  /** Folder of the unpacked archive. */
  archive: string;
  manifest: ArchiveManifest;
  /** Blocks of the archive's README with an info string: `sh`, `ts`. */
  readmeBlocks(info: string): Promise<string[]>;
  /** Runs a shell command in a folder. A failure is returned, not thrown. */
  run(folder: string, command: string, env?: NodeJS.ProcessEnv): Promise<CommandRun>;
  stop(): Promise<void>;
}

/** @param language id of the SDK. */
export async function startArchiveScene(language: string): Promise<ArchiveScene> {
  const service = await startService();
  const acme = await service.tenant('acme', { limits: { invocationRps: 5, invocationBurst: 10 } });
  const container = await startFixtureContainer('acme-echo');
  const body = await readPackageFolder(fixturePackageFolder('acme-echo'));
  const published = await acme.post('/api/v1/packages', { ...body, endpoint: container.endpoint });
  assert.equal(published.status, 201, JSON.stringify(published.body));
  const downloaded = await downloadSdk(acme, service.url, language);
  const project = await mkdtemp(path.join(tmpdir(), `svc-packaging-${language}-`));
  const archive = path.join(project, 'path/to/the/unpacked/archive');
  await mkdir(archive, { recursive: true });
  await unpackArchive(downloaded.archive, archive);
  const read = (file: string): Promise<string> => readFile(path.join(archive, file), 'utf8');
  const serviceEnv = { SVC_API_KEY: acme.key, SVC_BASE_URL: service.url };
  return {
    acme,
    serviceUrl: service.url,
    graphId: downloaded.graphId,
    project,
    archive,
    manifest: JSON.parse(await read('MANIFEST.json')) as ArchiveManifest,
    readmeBlocks: async (info) => fencedCode(await read('README.md'), info),
    run: (cwd, command, env = {}) =>
      new Promise((resolve) => {
        const options = { cwd, env: { ...process.env, ...serviceEnv, ...env } };
        execFile('sh', ['-ec', command], options, (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
        });
      }),
    stop: async () => {
      await service.stop();
      await container.stop();
      await rm(project, { recursive: true, force: true });
    },
  };
}
