import assert from 'node:assert/strict';
import { suiteNeeds } from '../support/toolchains.ts';
import { driverEnv, startDriverProcess } from './driver-process.ts';

/** A driver that runs this Node.js script. */
function scriptDriver(
  script: string,
  patienceMs?: number,
  stacksBy?: NodeJS.Signals,
): ReturnType<typeof startDriverProcess> {
  const args = ['--input-type=module', '--eval', script];
  const command = { program: process.execPath, args, cwd: import.meta.dirname, env: driverEnv({}) };
  return startDriverProcess(stacksBy === undefined ? command : { ...command, stacksBy }, patienceMs);
}

const request = { id: 'toy', client: {}, steps: [] };

suiteNeeds('processes', 'the process of a driver', () => {
  it('reports its stacks when it hangs without a result', async () => {
    const driver = scriptDriver(
      `process.on('SIGUSR2', () => {
         console.error('main waits for ever');
         process.exit(2);
       });
       setInterval(() => undefined, 1_000);
       console.log(JSON.stringify({ id: 'toy', results: [], log: [] }));`,
      10_000,
      'SIGUSR2',
    );
    assert.deepEqual(await driver.run(request), { id: 'toy', results: [], log: [] });
    await assert.rejects(driver.run(request), /it said nothing for 10000 ms\nmain waits for ever/);
    await driver.stop();
  });

  it('reports an output that ends before the process', async () => {
    const driver = scriptDriver(
      `import { closeSync } from 'node:fs';
       closeSync(1);
       setInterval(() => undefined, 1_000);`,
    );
    await assert.rejects(driver.run(request), /its output ended, and it did not/);
    await driver.stop();
  });

  it('reports its exit code and last output when it dies', async () => {
    const driver = scriptDriver(`console.error('no memory'); process.exit(3);`);
    await assert.rejects(driver.run(request), /it ended with 3\nno memory/);
    await driver.stop();
  });
});
