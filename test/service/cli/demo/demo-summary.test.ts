import assert from 'node:assert/strict';
import { demoSummary } from '../../../../service/cli/demo/demo-summary.ts';

const shown = {
  url: 'http://127.0.0.1:4711',
  key: 'a key',
  built: [],
  folder: 'data/demo/sdk/typescript',
  input: '{}',
  calls: [],
  approval: { question: 'Approve?', output: '{}' },
  pages: ['http://127.0.0.1:4711/docs'],
};

describe('the summary of the demo', () => {
  it('ends with the pages and the key when the service keeps running', () => {
    const last = demoSummary({ ...shown, keep: true })
      .split('\n')
      .slice(-3);
    assert.match(last[0] ?? '', /^The service runs at http:\/\/127\.0\.0\.1:4711 until you press Ctrl-C/);
    assert.deepEqual(last.slice(1), ['  http://127.0.0.1:4711/docs', 'Key: a key']);
  });

  it('omits the address of a stopped service and explains how to keep it running', () => {
    const text = demoSummary({ ...shown, keep: false });
    assert.doesNotMatch(text, /http:|a key/);
    assert.match(text, /The service has ended\. .*npm run demo -- --keep$/);
  });
});
