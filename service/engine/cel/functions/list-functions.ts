import { celFunc, celList, CelScalar, listType } from '@bufbuild/cel';
import type { CelFunc, CelList, CelValue } from '@bufbuild/cel';
import { internalFunctions } from '../cost/bound-cost.ts';

const { BOOL, DYN, INT } = CelScalar;
const anyList = listType(DYN);

/**
 * Lists that grow in place for `map` and `filter`, and a concatenation that copies. The evaluator's own concatenation keeps both halves
 * and searches them on every access.
 */
export function listFunctions(): CelFunc[] {
  const growing = new WeakMap<CelList, CelValue[]>();
  return [
    celFunc('_+_', [anyList, anyList], anyList, (left, right) => celList([...left, ...right])),
    celFunc(internalFunctions.list, [], anyList, () => {
      const elements: CelValue[] = [];
      const list = celList(elements);
      growing.set(list, elements);
      return list;
    }),
    celFunc(internalFunctions.append, [anyList, DYN], anyList, (list, element) => {
      growing.get(list)?.push(element);
      return list;
    }),
    celFunc(internalFunctions.range, [DYN], DYN, (range) => range),
    celFunc(internalFunctions.walk, [DYN], DYN, (value) => value),
    celFunc(internalFunctions.tick, [INT], BOOL, () => true),
  ];
}
