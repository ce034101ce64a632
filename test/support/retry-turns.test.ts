import assert from 'node:assert/strict';
import { runMocha } from './child-mocha.ts';
import { suiteNeeds } from './toolchains.ts';

/**
 * Returns a suite with one test, which reports one of these turns in each attempt, in milliseconds. The limit is 10.
 */
const attempts = (turnsMs: readonly number[], ends = ''): Record<string, string> => ({
  'turns.test.ts': `import { assertTurn } from '../turn-watch.ts';
    const turns = ${JSON.stringify(turnsMs)};
    describe('turns', () => { it('are short', () => { ${ends} assertTurn(turns.shift(), 10); }); });`,
});

suiteNeeds('processes', 'a test with a turn over the limit', function () {
  this.timeout(180_000);

  it('passes if one of three attempts is within the limit', async () => {
    const { code, output } = await runMocha(attempts([1e6, 1e6, 1]));
    assert.match(output, /\n1 passed, 0 failed, 0 skipped\n$/);
    assert.equal(code, 0);
  });

  it('fails after the third attempt', async () => {
    const { code, output } = await runMocha(attempts([1e6, 1e6, 1e6, 1]));
    assert.match(output, /a turn took 1000000 ms, limit 10/);
    assert.match(output, /\n0 passed, 1 failed, 0 skipped\n$/);
    assert.equal(code, 1);
  });

  it('is not retried if it fails for another reason', async () => {
    const once = `if (turns.length === 2) { turns.shift(); throw new Error('broken'); }`;
    const { code, output } = await runMocha(attempts([1, 1], once));
    assert.match(output, /\n0 passed, 1 failed, 0 skipped\n$/);
    assert.equal(code, 1);
  });
});
