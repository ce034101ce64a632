import assert from 'node:assert/strict';
import { TypeIndex } from '../../../generator/model/type-index.ts';
import { describeTypes } from '../../../specs/messages/describe-types.ts';
import { compiledRegistry } from '../../support/compiled-protos.ts';

describe('the index of types', () => {
  let types: TypeIndex;
  before(async () => {
    const registry = await compiledRegistry(
      'syntax = "proto3"; package p; message M { E e = 1; } enum E { E_NONE = 0; }',
    );
    types = new TypeIndex(describeTypes(registry, ['p.M']));
  });

  it('finds messages and enums by their full names', () => {
    assert.equal(types.message('p.M').name, 'M');
    assert.equal(types.enum('p.E').values[0]?.name, 'E_NONE');
    assert.deepEqual([types.isMessage('p.M'), types.isMessage('p.E')], [true, false]);
    assert.deepEqual([types.isEnum('p.M'), types.isEnum('p.E')], [false, true]);
  });

  it('reports the name of an unknown type', () => {
    assert.throws(() => types.message('p.E'), /the model lacks the message p\.E/);
    assert.throws(() => types.enum('p.M'), /the model lacks the enum p\.M/);
  });

  it('distinguishes messages of the model from well-known types', () => {
    assert.deepEqual(types.rootType('p.M'), { kind: 'message', fullName: 'p.M' });
    assert.deepEqual(types.rootType('google.protobuf.Struct'), { kind: 'wellKnown', wellKnown: 'Struct' });
    for (const lacking of ['Struct', 'p.E', 'google.protobuf.Type', 'toString'])
      assert.throws(() => types.rootType(lacking), /the model lacks the message/, lacking);
  });

  it('resolves a symbol to a message or an enum', () => {
    assert.deepEqual(types.symbolType('p.E'), { kind: 'enum', fullName: 'p.E' });
    assert.deepEqual(types.symbolType('p.M'), { kind: 'message', fullName: 'p.M' });
  });
});
