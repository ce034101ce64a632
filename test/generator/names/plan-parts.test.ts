import assert from 'node:assert/strict';
import { firstSeenIn } from '../../../generator/changes/first-seen.ts';
import { createPartPlanner } from '../../../generator/names/plan-parts.ts';
import type { EnumModel, MessageModel } from '../../../specs/messages/message-model.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';

const source = `
syntax = "proto3";
package p;
message M { int32 ab = 1; int32 a_b = 2; oneof which { int32 c = 3; } E e = 4; }
message N { int32 a_b = 1; }
enum E { NO_NE = 0; NONE = 1; }`;

const bare = (name: string): string => name.replaceAll('_', '').toLowerCase();

describe('names of the parts of a type', () => {
  let messages: MessageModel[];
  let enums: EnumModel[];
  beforeEach(async () => {
    ({ messages, enums } = describeTypes(await compiledRegistry(source), ['p.M', 'p.N']));
  });

  const planner = () => {
    const asked: string[] = [];
    const plan = createPartPlanner<MessageModel>({
      requestsOf: ({ fullName, fields, oneofs }) => {
        asked.push(fullName);
        return [...fields, ...oneofs].map(({ name }) => ({ id: name, intended: bare(name) }));
      },
      rulesOf: (typeName) => ({ reserved: new Set([typeName]) }),
    });
    return { asked, plan };
  };
  const ages = (...parts: string[]) =>
    firstSeenIn({ firstSeen: [{ version: 2, members: [], types: [], parts }] });

  it('are planned separately for each type, older parts first', () => {
    const { plan } = planner();
    assert.deepEqual([...plan(messages, ages('p.M.a_b')).get('p.M')!.entries()].sort(), [
      ['a_b', 'ab2'],
      ['ab', 'ab'],
      ['c', 'c'],
      ['e', 'e'],
      ['which', 'which'],
    ]);
    assert.equal(plan(messages, ages('p.M.ab')).get('p.M')?.get('ab'), 'ab2');
    assert.equal(plan(messages, ages()).get('p.N')?.get('a_b'), 'ab');
  });

  it('can depend on the name of their type', () => {
    const { plan } = planner();
    const typeNames = new Map([['p.M', 'which']]);
    assert.equal(plan(messages, ages(), typeNames).get('p.M')?.get('which'), 'which_');
    assert.equal(plan(messages, ages()).get('p.M')?.get('which'), 'which');
  });

  it('include the values of an enum', () => {
    const plan = createPartPlanner<EnumModel>({
      requestsOf: ({ values }) => values.map(({ name }) => ({ id: name, intended: bare(name) })),
      rulesOf: () => ({ reserved: new Set() }),
    });
    assert.deepEqual(Object.fromEntries(plan(enums, ages('p.E.NO_NE')).get('p.E')!), {
      NO_NE: 'none2',
      NONE: 'none',
    });
  });
});
