import assert from 'node:assert/strict';
import { planned } from '../../../generator/names/planned.ts';

describe('a planned name', () => {
  it('returns the planned entry', () => {
    assert.equal(planned(new Map([['p.M', 'M']]), 'p.M'), 'M');
  });

  it('names the missing entry', () => {
    assert.throws(() => planned(new Map([['p.M', 'M']]), 'p.N'), /nothing is planned for p\.N/);
  });
});
