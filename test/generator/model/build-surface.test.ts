import assert from 'node:assert/strict';
import { buildSurface } from '../../../generator/model/build-surface.ts';
import { memberSources } from '../../support/proto-surface.ts';

const one = `
message Receipt { Item item = 1; State state = 2; }
message Item { string name = 1; }
message Plain { string text = 1; }
enum State { STATE_UNSPECIFIED = 0; OPEN = 1; }
`;
const two = one.replace('string name = 1;', 'string name = 1; int64 count = 2;');

describe('the surface of members', () => {
  it('is sorted regardless of the order of members', async () => {
    const members = ['b', 'a', 'Z', 'é', 'ab'].map((alias) => ({ alias }));
    const sources = [
      ...(await memberSources(one, members)),
      ...(await memberSources(two, [{ alias: 'x', version: '2.0.0' }])),
    ];
    const surface = buildSurface(sources);
    assert.deepEqual(
      surface.members.map(({ alias }) => alias),
      ['Z', 'a', 'ab', 'b', 'x', 'é'],
    );
    assert.deepEqual(buildSurface(sources.toReversed()), surface);
  });

  it('copies each member from its source and builds its sample from its types', async () => {
    const [source] = await memberSources(one, [{ alias: 'a' }]);
    assert.ok(source?.type === 'node');
    const others = [
      source,
      { ...source, alias: 'b' },
      { ...source, mode: 'pipeline' as const },
      { ...source, comment: 'Told.' },
      { ...source, pin: { ...source.pin, node: 'Other' } },
      { ...source, input: 'acme.v1.Item' },
      { ...source, output: 'acme.v1.Item' },
    ];
    for (const other of others) {
      const built = buildSurface([other]).members[0];
      assert.ok(built?.type === 'node');
      const { descriptorSet } = other;
      const { sample, ...rest } = built;
      assert.deepEqual({ ...rest, descriptorSet }, other);
      assert.deepEqual(
        Object.keys(sample ?? {}),
        other.input === source.input ? ['item', 'state'] : ['name'],
      );
    }
  });

  it('merges identical types of two package versions', async () => {
    const told = one.replace('message Item', '// Told.\nmessage Item');
    const sources = [
      ...(await memberSources(told, [{ alias: 'b', version: '1.1.0' }])),
      ...(await memberSources(one, [{ alias: 'a' }])),
    ];
    const { types } = buildSurface(sources);
    assert.deepEqual(
      types.messages.map(({ fullName }) => fullName),
      ['acme.v1.Item', 'acme.v1.Receipt'],
    );
  });

  it('separates types that differ between package versions, and the types that contain them', async () => {
    const sources = [
      ...(await memberSources(two, [
        { alias: 'new', version: '10.0.0' },
        { alias: 'plain', version: '10.0.0', input: 'Plain' },
      ])),
      ...(await memberSources(one, [
        { alias: 'old', version: '9.0.0' },
        { alias: 'plain-old', version: '9.0.0', input: 'Plain' },
      ])),
    ];
    const { members, types } = buildSurface(sources);
    assert.deepEqual(
      types.messages.map(({ fullName }) => fullName),
      [
        'acme.v1.Item',
        'acme.v1.Plain',
        'acme.v1.Receipt',
        'acme_orders_10_0_0.acme.v1.Item',
        'acme_orders_10_0_0.acme.v1.Receipt',
      ],
    );
    assert.deepEqual(
      types.enums.map(({ fullName }) => fullName),
      ['acme.v1.State'],
    );
    assert.deepEqual(
      members.map(({ alias, input }) => [alias, input]),
      [
        ['new', 'acme_orders_10_0_0.acme.v1.Receipt'],
        ['old', 'acme.v1.Receipt'],
        ['plain', 'acme.v1.Plain'],
        ['plain-old', 'acme.v1.Plain'],
      ],
    );
    const held = types.messages.find(({ fullName }) => fullName === 'acme_orders_10_0_0.acme.v1.Receipt');
    assert.deepEqual(held?.fields[0]?.type, { kind: 'message', fullName: 'acme_orders_10_0_0.acme.v1.Item' });
    assert.equal(held.name, 'Receipt');
  });
});
