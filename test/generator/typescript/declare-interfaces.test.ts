import assert from 'node:assert/strict';
import { declareInterfaces } from '../../../generator/typescript/declare-interfaces.ts';
import type { PropertySchema } from '../../../generator/typescript/declare-interfaces.ts';

describe('declaring interfaces', () => {
  it('gives back types and presence in the order of what was asked for', async () => {
    const interfaces: PropertySchema[][] = [
      [
        { type: 'bigint', isRequired: true },
        { type: 'Case<"m1?: {", Word> | Case<"}", Uint8Array>', isRequired: false },
        ...Array.from({ length: 12 }, (_, index) => ({ type: `Type${index}`, isRequired: index % 2 === 0 })),
      ],
      [],
      [{ type: 'Record<string, bigint>[]', isRequired: true }],
    ];
    assert.deepEqual(await declareInterfaces(interfaces), interfaces);
  });

  it('keeps the order of more interfaces than ten', async () => {
    const interfaces = Array.from({ length: 25 }, (_, index) => [{ type: `Type${index}`, isRequired: true }]);
    assert.deepEqual(await declareInterfaces(interfaces), interfaces);
  });

  it('declares nothing when nothing is asked for', async () => {
    assert.deepEqual(await declareInterfaces([]), []);
  });
});
