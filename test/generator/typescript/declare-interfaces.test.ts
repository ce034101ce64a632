import assert from 'node:assert/strict';
import { declareInterfaces } from '../../../generator/typescript/declare-interfaces.ts';
import type { InterfaceSchema } from '../../../generator/typescript/declare-interfaces.ts';

describe('declaring interfaces', () => {
  it('gives back types, presence and comments in the order of what was asked for', async () => {
    const schemas: InterfaceSchema[] = [
      {
        comment: ['The first.', '', 'export interface M1 {', 'p0: string'],
        properties: [
          { type: 'bigint', isRequired: true, comment: ['Cents.'] },
          { type: 'Case<"a: b", Word> | Case<"}", Uint8Array>', isRequired: false, comment: [] },
          ...Array.from({ length: 12 }, () => ({ type: 'string', isRequired: false, comment: ['p3?: x'] })),
        ],
      },
      { comment: [], properties: [] },
      { comment: [], properties: [{ type: 'string', isRequired: true, comment: [] }] },
    ];
    assert.deepEqual(await declareInterfaces(schemas), schemas);
  });

  it('declares nothing when nothing is asked for', async () => {
    assert.deepEqual(await declareInterfaces([]), []);
  });
});
