import assert from 'node:assert/strict';
import { emptyHistory } from './history.ts';
import { report } from './report.ts';
import { harm } from './sound-soak.ts';

describe('the report of a soak', () => {
  it('lists operations, failures with those that harms explain, and violations', () => {
    const history = emptyHistory();
    history.counts.set('lists', 12);
    history.harms.push(harm('database'));
    const answer = { operation: 'lists', request: 'GET /', replica: 'replica-0', from: 1_100, to: 1_200 };
    history.answers.push({ ...answer, status: 503, expected: [200] });
    const lines = report(history, [{ about: 'quotas', text: 'acme has drawn 2 invocations' }]).split('\n');
    assert.deepEqual(lines, [
      'harms: kill 0, restart 0, freeze 0, container 0, database 1, stall 0, cut 0, hold 0, slow 0; acknowledged runs: 0; requests: 1',
      '',
      'operation  count  kill  restart  freeze  container  database  stall  cut  hold  slow  violations',
      'lists         12                                           1                                   0',
      'quotas                                                                                         1',
      '',
      'quotas: 1 violations',
      '  acme has drawn 2 invocations',
    ]);
  });
});
