import assert from 'node:assert/strict';
import { canonicalSamples } from '../../../../generator/languages/go/canonical-sample.ts';
import type {
  Cardinality,
  FieldModel,
  FieldType,
  TypeModel,
} from '../../../../specs/messages/message-model.ts';

const state: FieldType = { kind: 'enum', fullName: 'a.State' };
const nullValue: FieldType = { kind: 'wellKnown', wellKnown: 'NullValue' };
const tree: FieldType = { kind: 'message', fullName: 'a.Tree' };

function field(name: string, type: FieldType, cardinality: Cardinality = 'single'): FieldModel {
  return { name, jsonName: name, number: 1, comment: '', deprecated: false, cardinality, type };
}

const types: TypeModel = {
  messages: [
    {
      fullName: 'a.Tree',
      name: 'Tree',
      comment: '',
      deprecated: false,
      oneofs: [],
      fields: [
        field('state', state),
        field('maybe', state, 'optional'),
        { ...field('case', state), oneof: 'pick' },
        field('states', state, 'repeated'),
        field('child', tree),
        field('children', tree, 'repeated'),
        field('byName', tree, 'map'),
        field('null', nullValue),
        field('maybeNull', nullValue, 'optional'),
        { ...field('caseNull', nullValue), oneof: 'pick' },
        field('__proto__', { kind: 'scalar', scalar: 'string' }),
      ],
    },
  ],
  enums: [
    {
      fullName: 'a.State',
      name: 'State',
      comment: '',
      deprecated: false,
      values: [
        { name: 'OLD', number: 2, comment: '', deprecated: true },
        { name: 'NONE', number: 0, comment: '', deprecated: false },
      ],
    },
  ],
};

describe('canonical samples', () => {
  const canonical = canonicalSamples(types);

  it('omit the null of a NullValue field, except in a oneof', () => {
    const sample = { null: null, maybeNull: null, caseNull: null };
    assert.deepEqual(canonical('a.Tree', sample), { caseNull: null });
  });

  it('omit the default value of an enum without presence, at any depth', () => {
    const sample = {
      state: 'NONE',
      child: { state: 'NONE', children: [{ state: 'NONE' }], byName: { a: { state: 'NONE' } } },
    };
    assert.deepEqual(canonical('a.Tree', sample), { child: { children: [{}], byName: { a: {} } } });
  });

  it('keep every other value', () => {
    const sample = JSON.parse(
      '{"state": "OLD", "maybe": "NONE", "case": "NONE", "states": ["NONE"], "__proto__": "x"}',
    ) as Record<string, string>;
    assert.equal(JSON.stringify(canonical('a.Tree', sample)), JSON.stringify(sample));
    assert.deepEqual(canonical('google.protobuf.Struct', { state: 'NONE' }), { state: 'NONE' });
    assert.equal(canonical('google.protobuf.StringValue', 'NONE'), 'NONE');
  });
});
