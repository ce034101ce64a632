import assert from 'node:assert/strict';
import { planned } from '../../../generator/names/planned.ts';

describe('looking up a planned name', () => {
  it('returns the planned entry', () => {
    assert.equal(planned(new Map([['p.M', 'M']]), 'p.M'), 'M');
  });

  it('reports the key of a missing entry', () => {
    assert.throws(() => planned(new Map([['p.M', 'M']]), 'p.N'), /nothing is planned for p\.N/);
  });
});
