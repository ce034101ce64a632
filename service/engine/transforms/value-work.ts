import { valueCost } from '../work/value-cost.ts';
import type { Value } from './value.ts';

/** Bytes or characters that a native operation copies per unit of work. */
const sizePerUnit = 64;

/** Computes the units of work to read a value: one per element or field, and more for long texts. Counting stops beyond `most`. */
export function valueWork(value: Value, most: number): number {
  let units = 1;
  switch (value.kind) {
    case 'bytes':
    case 'string':
      return units + value.value.length / sizePerUnit;
    case 'list':
      for (const one of value.values) {
        units += valueWork(one, most - units);
        if (units > most) break;
      }
      return units;
    case 'map':
      for (const [key, one] of value.entries) {
        units += valueWork(key, most - units) + valueWork(one, most - units);
        if (units > most) break;
      }
      return units;
    case 'message':
      return valueCost(value.value, most);
    default:
      return units;
  }
}
