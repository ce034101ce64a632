import assert from 'node:assert/strict';
import { createMetrics } from '../../service/metrics.ts';
import { assertNoMismatches } from './serve-process.ts';

describe('the contract check of a service that stops', () => {
  it('passes without mismatches', async () => {
    assertNoMismatches(await createMetrics().render());
  });

  it('fails after a mismatch and names its operation', async () => {
    const metrics = createMetrics();
    metrics.countContractMismatch('getClient');
    const text = await metrics.render();
    assert.throws(() => assertNoMismatches(text), /getClient/);
  });

  it('fails if the counter is missing', () => {
    assert.throws(() => assertNoMismatches('# TYPE other counter'));
  });
});
