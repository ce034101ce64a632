import assert from 'node:assert/strict';
import { compileProtos } from '../../../service/messages/compile/compile-protos.ts';
import { createRegistry } from '../../../service/messages/registry.ts';
import { fieldHint } from '../../../service/pages/field-hint.ts';

const values = (count: number): string =>
  Array.from({ length: count }, (_, index) => `V${count}_${index} = ${index};`).join(' ');

const proto = `syntax = "proto3"; package t;
enum Ten { ${values(10)} }
enum Eleven { ${values(11)} }
enum Level { LOW = 0; HIGH = 1; }
message Line { string sku = 1; }
message All {
  bool is_approved = 1; string comment = 2; int64 cents = 3; double rate = 4; bytes seal = 5;
  Level level = 6; Ten ten = 7; Eleven eleven = 8; Line line = 9; repeated Line lines = 10; map<string, int32> counts = 11;
}`;

describe('the hint of a field', () => {
  it('describes its JSON value', async () => {
    const type = createRegistry(await compileProtos({ 't.proto': proto })).getMessage('t.All');
    assert.deepEqual(type?.fields.map(fieldHint), [
      'isApproved (true or false)',
      'comment (text)',
      'cents (number)',
      'rate (number)',
      'seal (base64)',
      'level (LOW or HIGH)',
      `ten (${Array.from({ length: 10 }, (_, index) => `V10_${index}`).join(' or ')})`,
      'eleven (Eleven)',
      'line (Line)',
      'lines (list of Line)',
      'counts (object of number)',
    ]);
  });
});
