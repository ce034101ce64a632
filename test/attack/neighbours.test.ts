import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runInProcess } from '../support/run-svc.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { assertTurn } from '../support/turn-watch.ts';
import { type AttackedService, startAttackedService } from './attacked-service.ts';
import type { AttackResult } from './attack.ts';
import { attacks } from './attacks.ts';
import { type Child, startScript } from './child.ts';
import { createTenants, publishScene, type Scene } from './tenants.ts';
import { watch } from './watch.ts';

/** Maximum processor time of a turn, during which the main thread answers nothing else. */
const maxTurnMs = 100;
/** Memory of the service and the compilers that it runs. */
const maxMemory = 2_048 * 2 ** 20;
const attackSeconds = 3;
const callEveryMs = 100;
/** Maximum processor time per second of a service without work. */
const restingCpuSeconds = 0.1;
/** Time without requests after which the service has returned its memory. */
const restMs = 20_000;

/** One tenant attacks within its limits, while another alternately calls a node and runs a flow. */
suiteNeeds('processes', 'the neighbour of an attacker', function () {
  this.timeout(180_000);
  // Other work on the machine prolongs processor time. A defect fails every attempt.
  this.retries(2);
  let folder: TemporaryFolder;
  let containers: Child[];
  let prepared: string;
  let scene: Scene;

  before(async () => {
    folder = await temporaryFolder({});
    prepared = path.join(folder.path, 'prepared');
    containers = [startScript('hostile-container'), startScript('hostile-container')];
    const [attacker = '', neighbour = ''] = await Promise.all(containers.map((child) => child.line()));
    const env = { SVC_DATA_DIR: prepared };
    const keys = await createTenants(async (...args) => (await runInProcess(args, env)).stdout.trim());
    const service = await startAttackedService(prepared);
    try {
      scene = await publishScene(service.url, keys, { attacker, neighbour });
    } finally {
      await service.child.kill('SIGTERM');
    }
  });
  after(async () => {
    await Promise.all(containers.map((child) => child.kill()));
    await folder.remove();
  });

  for (const { id, title } of attacks) {
    it(`is unaffected by ${title}`, async () => {
      const dataDir = path.join(folder.path, id);
      await cp(prepared, dataDir, { recursive: true });
      const service = await startAttackedService(dataDir);
      const target = JSON.stringify({ ...scene.target, url: service.url });
      const sender = startScript('send-attack', id, target, String(attackSeconds));
      const neighbour = watch({ url: service.url, everyMs: callEveryMs, calls: scene.calls });
      let memory = 0;
      const sampler = setInterval(() => {
        memory = Math.max(memory, service.use().memory);
        // The test has failed. The machine must stay usable.
        if (memory > maxMemory) void service.child.kill();
      }, 100);
      try {
        await sender.line();
        // Loading code for the first calls does not count against the attacker.
        while (neighbour.seen(Date.now()).length < 5) await pause(callEveryMs);
        await service.longestTurnMs();
        const result = sender.line();
        sender.process.stdin?.write('start\n');
        const { sent } = JSON.parse(await result) as AttackResult;
        const longestTurnMs = await service.longestTurnMs();
        const attackedTo = Date.now();
        // The neighbour still makes the calls that are due by then.
        await pause(callEveryMs);
        await neighbour.finish();
        const calls = neighbour.seen(attackedTo);

        assert.ok(sent > 0 && calls.length > 0);
        assert.ok(memory <= maxMemory, `the service took ${(memory / 2 ** 20).toFixed(0)} MiB`);
        assert.ok(service.isAlive(), 'the service died');
        const problems = calls.flatMap(({ problem }) => problem ?? []);
        assert.deepEqual(problems, [], 'calls of the neighbour failed');
        assertTurn(longestTurnMs, maxTurnMs, 'one turn of the main thread');
      } finally {
        clearInterval(sampler);
        await Promise.all([sender.kill(), neighbour.kill(), service.child.kill()]);
      }
    });
  }

  it('sees less than twice the idle memory 20 s after all attacks and their runs have ended', async function () {
    this.timeout(600_000);
    const dataDir = path.join(folder.path, 'all-attacks');
    await cp(prepared, dataDir, { recursive: true });
    const service = await startAttackedService(dataDir);
    const target = JSON.stringify({ ...scene.target, url: service.url });
    try {
      await pause(restMs);
      const idle = service.use().memory;
      for (const { id } of attacks) {
        const sender = startScript('send-attack', id, target, String(attackSeconds));
        try {
          await sender.line();
          const result = sender.line();
          sender.process.stdin?.write('start\n');
          await result;
        } finally {
          await sender.kill();
        }
      }
      const attacked = service.use().memory;
      await untilRest(service);
      await pause(restMs);
      const rested = service.use().memory;
      const figures = [idle, attacked, rested]
        .map((bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`)
        .join(', ');
      assert.ok(service.isAlive(), 'the service died');
      assert.ok(rested < 2 * idle, `idle, after the attacks, and at rest: ${figures}`);
    } finally {
      await service.child.kill();
    }
  });
});

/** Waits until the runs that the attacks started have ended. Fails after two minutes. */
async function untilRest({ use }: Pick<AttackedService, 'use'>): Promise<void> {
  for (let second = 0; second < 120; second += 1) {
    const before = use().cpuSeconds;
    await pause(1_000);
    if (use().cpuSeconds - before < restingCpuSeconds) return;
  }
  assert.fail('the service did not come to rest');
}
