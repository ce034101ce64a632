import assert from 'node:assert/strict';

import { runMocha } from './child-mocha.ts';
import { suiteNeeds } from './toolchains.ts';

const passing = `describe('adding', () => { it('adds', () => {}); it('adds twice', () => {}); });`;
const mixed = `describe('outer', () => {
  it('passes', () => {});
  it('fails', () => { throw new Error('broken on purpose'); });
  it.skip('waits for a reason');
});`;

for (const flags of [[], ['--parallel', '--jobs', '2']]) {
  suiteNeeds(
    'processes',
    `the closing report, ${flags.length > 0 ? 'in parallel' : 'one after another'}`,
    () => {
      it('reports the counts of a clean run, which exits with 0', async () => {
        const { code, output } = await runMocha({ 'passing.test.ts': passing }, { flags });
        assert.equal(lastLine(output), '2 passed, 0 failed, 0 skipped');
        assert.equal(code, 0);
      });

      it('lists failures and skipped tests before the counts', async () => {
        const files = { 'passing.test.ts': passing, 'mixed.test.ts': mixed };
        const { code, output } = await runMocha(files, { flags });
        assert.match(output, /\nFailed\n[^]*outer\s+fails:\s+Error: broken on purpose/);
        assert.match(output, /\nSkipped\n {2}outer: waits for a reason\n/);
        assert.equal(lastLine(output), '3 passed, 1 failed, 1 skipped');
        assert.equal(code, 1);
      });

      it('counts a failed hook', async () => {
        const hook = `describe('s', () => { before(() => { throw new Error('no'); }); it('never runs', () => {}); });`;
        const { code, output } = await runMocha({ 'hook.test.ts': hook }, { flags });
        assert.equal(lastLine(output), '0 passed, 1 failed, 0 skipped');
        assert.equal(code, 1);
      });

      it('fails a file that leaves a server open, and still exits', async () => {
        const leak = `import http from 'node:http';
        describe('s', () => { it('leaks', (done) => { http.createServer().listen(0, '127.0.0.1', done); }); });`;
        const { code, output } = await runMocha({ 'leak.test.ts': leak }, { flags });
        assert.match(
          output,
          /still open 8000 ms after the last test of test\/.*leak\.test\.ts: TCPServerWrap/,
        );
        assert.equal(lastLine(output), '1 passed, 1 failed, 0 skipped');
        assert.equal(code, 1);
      });
    },
  );
}

suiteNeeds('processes', 'the closing report', () => {
  it('counts and names files that fail to load or end their worker', async () => {
    const files = {
      'passing.test.ts': passing,
      'unloadable.test.ts': `import './nowhere.ts';`,
      'exits.test.ts': `it('exits', () => { process.exit(7); });`,
    };
    const { code, output } = await runMocha(files, { flags: ['--parallel', '--jobs', '2'] });
    assert.match(output, /unloadable\.test\.ts: Uncaught error/);
    assert.match(output, /exits\.test\.ts: Uncaught error/);
    assert.equal(lastLine(output), '2 passed, 2 failed, 0 skipped');
    assert.equal(code, 2);
  });
});

function lastLine(output: string): string | undefined {
  return output.trimEnd().split('\n').at(-1);
}
