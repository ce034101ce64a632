import assert from 'node:assert/strict';
import { messageFromJson } from '../../../service/messages/json/message-from-json.ts';
import { compileProtos } from '../../../service/messages/compile/compile-protos.ts';
import { createRegistry, type MessageRegistry } from '../../../service/messages/registry.ts';
import {
  type FieldOutline,
  type MessageOutline,
  outlineMessage,
} from '../../../service/pages/message-outline.ts';

const many = (count: number, type: string): string =>
  Array.from({ length: count }, (_, index) => `${type} f${index} = ${index + 1};`).join(' ');

const protos = {
  't.proto': `syntax = "proto3"; package t;
import "google/protobuf/struct.proto"; import "google/protobuf/timestamp.proto";
enum Level { LOW = 0; HIGH = 1; }
message Decision { bool approved = 1; string comment = 2; }
message All {
  string finding = 1; Decision decision = 2; repeated Decision past = 3; map<string, int32> counts = 4;
  Level level = 5; int64 cents = 6; double rate = 7; bytes seal = 8; optional int32 times = 9;
  google.protobuf.Timestamp due = 10; google.protobuf.Value any = 11; google.protobuf.NullValue nothing = 12;
  oneof choice { string name = 13; Decision other = 14; }
}
message Tree { string name = 1; Tree left = 2; repeated Tree rest = 3; }
message One { Two two = 1; } message Two { Three three = 1; } message Three { Four four = 1; }
message Four { Five five = 1; } message Five { string end = 1; }
message Wide { ${many(40, 'Broad')} } message Broad { ${many(40, 'string')} }`,
  'old.proto': `syntax = "proto2"; package old;
message Old { required string name = 1; optional string comment = 2; }`,
};

describe('the outline of a message', () => {
  let registry: MessageRegistry;
  before(async () => {
    registry = createRegistry(await compileProtos(protos));
  });
  const outlineOf = (name: string): MessageOutline => {
    const type = registry.getMessage(name);
    assert.ok(type);
    return outlineMessage(type);
  };
  const texts = (fields: readonly FieldOutline[]): unknown[] =>
    fields.map((field) => (field.fields.length === 0 ? field.hint : [field.hint, ...texts(field.fields)]));
  const count = (fields: readonly FieldOutline[]): number =>
    fields.reduce((sum, field) => sum + 1 + count(field.fields), 0);

  it('includes the fields of nested messages', () => {
    const { fields, isCut } = outlineOf('t.All');
    const decision = ['approved (true or false)', 'comment (text)'];
    assert.equal(isCut, false);
    assert.deepEqual(texts(fields).slice(0, 4), [
      'finding (text)',
      ['decision (Decision)', ...decision],
      ['past (list of Decision)', ...decision],
      'counts (object of number)',
    ]);
    assert.deepEqual(texts(fields).at(-1), ['other (Decision)', ...decision]);
    assert.ok(texts(fields).includes('due (Timestamp)'));
  });

  it('has a skeleton that leaves all fields except messages unset', () => {
    const { skeleton } = outlineOf('t.All');
    assert.deepEqual(JSON.parse(skeleton), {
      finding: '',
      decision: { approved: false, comment: '' },
      past: [],
      counts: {},
      level: 'LOW',
      cents: 0,
      rate: 0,
      seal: '',
      times: null,
      due: null,
    });
    const read = messageFromJson(registry, 't.All', skeleton);
    const same = messageFromJson(registry, 't.All', '{"decision": {}}');
    assert.deepEqual(read, same);
    assert.ok(read.ok);
  });

  it('sets required fields to their default', () => {
    assert.deepEqual(JSON.parse(outlineOf('old.Old').skeleton), { name: '', comment: null });
  });

  it('stops at recursive messages and after four levels', () => {
    const tree = outlineOf('t.Tree');
    assert.deepEqual(texts(tree.fields), ['name (text)', 'left (Tree)', 'rest (list of Tree)']);
    assert.deepEqual(JSON.parse(tree.skeleton), { name: '', left: null, rest: [] });
    assert.deepEqual(JSON.parse(outlineOf('t.One').skeleton), { two: { three: { four: { five: null } } } });
  });

  it('omits fields beyond fifty, starting with those of inner messages', () => {
    const { fields, isCut, skeleton } = outlineOf('t.Wide');
    assert.equal(isCut, true);
    assert.deepEqual([fields.length, count(fields)], [40, 50]);
    assert.equal(Object.keys(JSON.parse(skeleton) as object).length, 40);
  });

  it('is empty for a well-known type', () => {
    assert.deepEqual(outlineOf('google.protobuf.Struct'), { fields: [], isCut: false, skeleton: '{}' });
  });
});
