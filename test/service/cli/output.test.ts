import assert from 'node:assert/strict';
import { recordText, table } from '../../../service/cli/output.ts';

describe('tables', () => {
  it('align columns and mark absent cells', () => {
    const rows = [
      ['a', 'long cell'],
      ['bbbb', null],
    ];
    assert.equal(table(['ID', 'NAME'], rows), 'ID    NAME\na     long cell\nbbbb  -');
    assert.equal(table(['ID', 'NAME'], []), 'ID  NAME');
  });

  it('escape control characters of stored text', () => {
    assert.equal(table(['N'], [['\u001b[2J\n\u202e\u2028']]), 'N\n\\u001b[2J\\u000a\\u202e\\u2028');
    assert.equal(recordText({ name: '\r', id: null }), 'name  \\u000d\nid    -');
  });
});
