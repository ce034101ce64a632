import assert from 'node:assert/strict';
import { tableText, type TypeTable } from '../../../generator/type-texts/type-table.ts';

const scalars = { double: 'f', float: 'f', int32: 'i', int64: 'l', uint32: 'u', uint64: 'ul' };
const table: TypeTable<string> = {
  scalars: { ...scalars, bool: 'b', string: 's', bytes: 'by' },
  wellKnowns: {
    ...{ Any: 'any', Duration: 'dur', Empty: 'empty', FieldMask: 'mask', ListValue: 'list' },
    ...{ NullValue: 'null', Struct: 'struct', Timestamp: 'time', Value: 'value' },
  },
};

describe('a table of type texts', () => {
  it('has a text for each scalar and well-known type', () => {
    assert.equal(tableText(table, { kind: 'scalar', scalar: 'int64' }), 'l');
    assert.equal(tableText(table, { kind: 'wellKnown', wellKnown: 'ListValue' }), 'list');
  });

  it('maps a wrapper to the text of its scalar', () => {
    assert.equal(tableText(table, { kind: 'wellKnown', wellKnown: 'UInt64Value' }), 'ul');
    assert.equal(tableText(table, { kind: 'wellKnown', wellKnown: 'StringValue' }), 's');
  });
});
