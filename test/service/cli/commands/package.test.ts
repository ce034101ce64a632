import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Caller, type RunningService, startService } from '../../../support/running-service.ts';
import { type Run, runInProcess } from '../../../support/run-svc.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.ts';

const proto = 'syntax = "proto3"; package acme.echo; message Text { string text = 1; }';

describe('svc package publish', () => {
  let service: RunningService;
  let acme: Caller;
  let folder: TemporaryFolder;
  before(async () => {
    folder = await temporaryFolder({});
    service = await startService();
    acme = await service.tenant('acme');
  });
  after(async () => {
    await service.stop();
    await folder.remove();
  });

  async function publish(name: string, more = '', ...options: string[]): Promise<Run> {
    const dir = path.join(folder.path, name);
    await mkdir(dir, { recursive: true });
    await writeFile(path.join(dir, 'echo.proto'), proto);
    await writeFile(
      path.join(dir, 'package.yaml'),
      `name: acme/${name}\nversion: 1.0.0\n${more}nodes: [{name: Echo, input: acme.echo.Text, output: acme.echo.Text}]\n`,
    );
    return runInProcess(['package', 'publish', dir, ...options], {
      SVC_BASE_URL: service.url,
      SVC_API_KEY: acme.key,
    });
  }

  it('prints the visibility, which is private by default', async () => {
    const first = await publish('quiet');
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stderr, /^published acme\/quiet 1\.0\.0 \(private\)\n/);
    assert.match(first.stdout, /^NODE +MODE/);
    const again = await publish('quiet', 'visibility: public\n');
    assert.match(
      again.stderr,
      /^acme\/quiet 1\.0\.0 \(public\) is already published with the same content\n/,
    );
  });
});
