import assert from 'node:assert/strict';
import { declareProperties } from '../../../../generator/languages/typescript/declare-properties.ts';
import type { PropertySchema } from '../../../../generator/languages/typescript/declare-properties.ts';

describe('declaring properties', () => {
  it('returns types and presence in the order of the schemas', async () => {
    const schemas: PropertySchema[] = [
      { type: 'bigint', isRequired: true },
      { type: 'Case<"p1?: {", Word> | Case<"}", Uint8Array>', isRequired: false },
      ...Array.from({ length: 12 }, (_, index) => ({ type: `Type${index}`, isRequired: index % 2 === 0 })),
      { type: 'Record<string, bigint>[]', isRequired: true },
    ];
    assert.deepEqual(await declareProperties(schemas), schemas);
  });

  it('returns repeated properties, both required and optional', async () => {
    const schemas = [true, false, true, false, false].map((isRequired) => ({ type: 'bigint', isRequired }));
    assert.deepEqual(await declareProperties(schemas), schemas);
  });

  it('accepts an empty list', async () => {
    assert.deepEqual(await declareProperties([]), []);
  });
});
