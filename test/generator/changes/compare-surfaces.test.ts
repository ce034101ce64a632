import assert from 'node:assert/strict';
import type { Changes, Step } from '../../../generator/changes/change-list.ts';
import { compareSurfaces } from '../../../generator/changes/compare-surfaces.ts';
import { itSlow } from '../../support/fast-run.ts';
import { surfaceOfProto } from '../../support/proto-surface.ts';

const base = `
message Order {
  string id = 1;
  optional int64 count = 2;
  repeated string tags = 3;
  map<string, int32> stock = 4;
  State state = 5;
  oneof payer { string person = 6; string company = 7; }
}
message Receipt { Level level = 2; Order order = 1; }
enum State { STATE_UNSPECIFIED = 0; OPEN = 1; PAID = 2; }
// An enum with aliases.
enum Level { option allow_alias = true; NONE = 0; ZERO = 0; WARN = 1; WARNING = 1; }
`;

describe('the difference between two versions', () => {
  it('is empty for identical versions', async () => {
    assert.deepEqual(await changesTo(base), { added: [], changed: [], removed: [], step: 'patch' });
  });

  const edits: [what: string, edit: [from: string | RegExp, to: string], step: Step, sentence: RegExp][] = [
    [
      'an added field',
      ['string id = 1;', 'string id = 1; string more = 9;'],
      'minor',
      /^added Field .*Order\.more\.$/,
    ],
    [
      'an added oneof case',
      ['string company = 7;', 'string company = 7; string agent = 8;'],
      'minor',
      /^added Field .*Order\.agent in oneof payer\.$/,
    ],
    ['a removed field', ['string id = 1;', ''], 'major', /^removed Field .*Order\.id\.$/],
    ['a changed field type', ['string id', 'bytes id'], 'major', /Order\.id is bytes instead of string\.$/],
    [
      'a changed integer type',
      ['int64 count', 'uint64 count'],
      'major',
      /is optional uint64 instead of optional int64\.$/,
    ],
    [
      'a field that loses presence',
      ['optional int64', 'int64'],
      'major',
      /is int64 instead of optional int64\.$/,
    ],
    [
      'a field that becomes repeated',
      ['string id', 'repeated string id'],
      'major',
      /is repeated string instead of string\.$/,
    ],
    [
      'a changed map key type',
      ['map<string, int32>', 'map<int32, int32>'],
      'major',
      /is map<int32, int32> instead of map<string, /,
    ],
    [
      'a field that joins a oneof',
      [/string id = 1;/, 'oneof by { string id = 1; }'],
      'major',
      /in oneof by instead of string/,
    ],
    [
      'a renamed oneof',
      ['oneof payer', 'oneof paid_by'],
      'major',
      /person is string in oneof paid_by instead of string in/,
    ],
    [
      'a changed JSON name',
      ['string id = 1', 'string id = 1 [json_name = "key"]'],
      'major',
      /is key in JSON instead of id\.$/,
    ],
    ['a changed field number', ['string id = 1', 'string id = 8'], 'patch', /^$/],
    ['a changed wire encoding', ['optional int64', 'optional sfixed64'], 'patch', /^$/],
    ['reordered fields', [/(string id = 1;)\s*(optional int64 count = 2;)/, '$2 $1'], 'patch', /^$/],
    [
      'an added enum value',
      ['PAID = 2;', 'PAID = 2; LOST = 3;'],
      'minor',
      /^added Value LOST of enum .*State\.$/,
    ],
    ['a removed enum value', ['PAID = 2;', ''], 'major', /^removed Value PAID of enum .*State\.$/],
    [
      'a renumbered enum value',
      ['PAID = 2;', 'PAID = 4;'],
      'major',
      /PAID .*has the number 4 instead of 2\.$/,
    ],
    [
      'reordered names of an enum number',
      [/(WARN = 1;) (WARNING = 1;)/, '$2 $1'],
      'major',
      /^changed Number 1 of enum .*Level is read as WARNING instead of WARN\.$/,
    ],
    [
      'an enum alias added before the existing name',
      ['WARN = 1;', 'ALARM = 1; WARN = 1;'],
      'major',
      /Level is read as ALARM instead of WARN\.$/,
    ],
    [
      'an enum alias added after the existing name',
      ['WARN = 1;', 'WARN = 1; ALARM = 1;'],
      'minor',
      /^added Value ALARM/,
    ],
    [
      'a newly deprecated field',
      ['id = 1;', 'id = 1 [deprecated = true];'],
      'patch',
      /Order\.id is deprecated\.$/,
    ],
    [
      'an added comment',
      ['string id', '// The id.\n string id'],
      'patch',
      /Order\.id has a new description\.$/,
    ],
    [
      'an added type',
      ['Order order = 1;', 'Order order = 1; Extra e = 3; } message Extra {'],
      'minor',
      /added Message .*Extra/,
    ],
  ];
  for (const [what, [from, to], step, sentence] of edits) {
    it(`is ${step} for ${what}`, async () => {
      const edited = base.replace(from, to);
      assert.notEqual(edited, base);
      const changes = await changesTo(edited);
      assert.equal(changes.step, step, JSON.stringify(changes));
      assert.ok(
        sentences(changes).some((each) => sentence.test(each)),
        sentences(changes).join('\n'),
      );
    });
  }

  it('is major for a type that is no longer reachable', async () => {
    const changes = await changesTo(base.replace('Order order = 1;', 'string order = 1;'), {
      input: 'Receipt',
    });
    assert.deepEqual(changes.removed.slice(0, 1), ['Enum acme.v1.State.']);
    assert.equal(changes.step, 'major');
  });

  it('lists added, changed and removed calls', async () => {
    const before = await surfaceOfProto(base, [{ alias: 'stays' }, { alias: 'goes' }]);
    const after = await surfaceOfProto(base, [
      { alias: 'stays', version: '1.1.0', comment: 'Now better.' },
      { alias: 'comes "new"\n', input: 'Order' },
    ]);
    assert.deepEqual(compareSurfaces(before, after), {
      added: ['Call "comes \\"new\\"\\n" (node Node of acme/orders 1.0.0).'],
      changed: [
        'Call "stays" has a new description.',
        'Call "stays" runs node Node of acme/orders 1.1.0 instead of node Node of acme/orders 1.0.0.',
      ],
      removed: ['Call "goes" (node Node of acme/orders 1.0.0).'],
      step: 'major',
    });
  });

  it('is major for a flow that becomes a node', async () => {
    const node = await surfaceOfProto(base, [{ alias: 'a' }]);
    const pin = { artifact: 'g1', graph: 'g1' };
    const members = node.members.map((member) => ({ ...member, type: 'flow' as const, pin }));
    const { step, changed } = compareSurfaces({ ...node, members }, node);
    assert.equal(step, 'major');
    assert.equal(changed[0], 'Call "a" is a node instead of a flow.');
  });

  it('is major for a changed client slug', async () => {
    const surface = await surfaceOfProto(base, [{ alias: 'a' }]);
    assert.deepEqual(compareSurfaces(surface, { ...surface, slug: 'shop' }), {
      added: [],
      changed: ['The client is shop instead of orders, and so are its packages and imports.'],
      removed: [],
      step: 'major',
    });
  });

  itSlow('is major for a changed input, output or mode of a call', async () => {
    const before = await surfaceOfProto(base, [{ alias: 'a' }]);
    for (const change of [{ input: 'Order' }, { output: 'Order' }, { mode: 'pipeline' as const }]) {
      const after = await surfaceOfProto(base, [{ alias: 'a', ...change }]);
      const { step, changed } = compareSurfaces(before, after);
      assert.equal(step, 'major');
      assert.match(changed[0] ?? '', /^Call "a" (is pipeline|takes|returns) /);
    }
  });
});

async function changesTo(proto: string, { input = 'Receipt' } = {}): Promise<Changes> {
  const before = await surfaceOfProto(base, [{ alias: 'a', input, output: input }]);
  return compareSurfaces(before, await surfaceOfProto(proto, [{ alias: 'a', input, output: input }]));
}

function sentences({ added, changed, removed }: Changes): string[] {
  const all = [
    ...added.map((each) => `added ${each}`),
    ...changed.map((each) => `changed ${each}`),
    ...removed.map((each) => `removed ${each}`),
  ];
  return all.length > 0 ? all : [''];
}
