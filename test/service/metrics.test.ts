import assert from 'node:assert/strict';
import { createMetrics } from '../../service/metrics.ts';

describe('the durations of node calls', () => {
  it('have labels for up to 500 packages, and one label for all others', async () => {
    const metrics = createMetrics();
    for (let n = 0; n < 502; n += 1) metrics.observeNodeCall(`acme/p${n}`, 'output', 0.01);
    metrics.observeNodeCall('acme/p499', 'output', 0.01);
    metrics.observeNodeCall('acme/p500', 'output', 0.01);
    const text = await metrics.render();
    const countOf = (name: string): string | undefined =>
      new RegExp(
        `^svc_node_call_duration_seconds_count\\{package="${name}",outcome="output"\\} (\\d+)$`,
        'm',
      ).exec(text)?.[1];
    assert.equal(countOf('acme/p499'), '2');
    assert.equal(countOf('acme/p500'), undefined);
    assert.equal(countOf('other'), '3');
  });
});
