import assert from 'node:assert/strict';
import { planned } from '../../../generator/names/planned.ts';

describe('a planned name', () => {
  it('is what the plan says', () => {
    assert.equal(planned(new Map([['p.M', 'M']]), 'p.M'), 'M');
  });

  it('is missed by the name that it was asked by', () => {
    assert.throws(() => planned(new Map([['p.M', 'M']]), 'p.N'), /nothing is planned for p\.N/);
  });
});
