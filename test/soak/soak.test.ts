import assert from 'node:assert/strict';
import { suiteNeeds } from '../support/toolchains.ts';
import { report } from './report.ts';
import { soak } from './soak.ts';

suiteNeeds('processes', 'a short soak', function () {
  // A pause whose decision got no response expires after two minutes.
  this.timeout(300_000);

  it('finds no violations on SQLite with one kill', async () => {
    const { history, violations } = await soak({
      seconds: 3,
      database: 'sqlite',
      replicas: 1,
      seed: 26,
      harms: ['kill'],
    });
    assert.deepEqual(violations, [], report(history, violations));
    assert.ok(history.harms.length > 0);
    assert.ok(history.runs.size > 0);
  });
});
