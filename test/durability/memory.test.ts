import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { svc } from '../support/run-svc.ts';
import { type ServeProcess, startServeProcess } from '../support/serve-process.ts';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';

const patienceMs = 60_000;

suiteNeeds('processes', 'the memory of svc serve', function () {
  this.timeout(120_000);
  let folder: TemporaryFolder;
  let service: ServeProcess;
  before(async function () {
    if (process.platform !== 'linux') this.skip();
    folder = await temporaryFolder({});
    service = await startServeProcess({ SVC_DATA_DIR: folder.path }, [svc]);
  });
  after(async () => {
    await service.kill();
    await folder.remove();
  });

  it('is at most 150 MB when idle after the start', async () => {
    const deadline = performance.now() + patienceMs;
    let resident = await residentMb(service.child.pid);
    while (resident > 150 && performance.now() < deadline) {
      await pause(500);
      resident = await residentMb(service.child.pid);
    }
    assert.ok(resident <= 150, `${resident} MB`);
  });
});

async function residentMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kb = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  // A starting process uses less than a ready one; startServeProcess waits until it is ready.
  return Number(kb) / 1_000;
}
