import type { Registry } from '@bufbuild/protobuf';
import { anyCost } from '../work/any-cost.ts';
import { valueCost } from '../work/value-cost.ts';
import type { Value } from './value.ts';

/** Bytes or characters that a native operation copies per unit of work. */
const sizePerUnit = 64;

/**
 * Computes the units of work to read a value: one per element or field, and more for long texts. Counting stops beyond `most`.
 *
 * @param registry counts the content of each `Any`, too
 */
export function valueWork(value: Value, most: number, registry?: Registry): number {
  let units = 1;
  switch (value.kind) {
    case 'bytes':
    case 'string':
      return units + value.value.length / sizePerUnit;
    case 'list':
      for (const one of value.values) {
        units += valueWork(one, most - units, registry);
        if (units > most) break;
      }
      return units;
    case 'map':
      for (const [key, one] of value.entries) {
        units += valueWork(key, most - units) + valueWork(one, most - units, registry);
        if (units > most) break;
      }
      return units;
    case 'message': {
      const { desc, message } = value.value;
      units = valueCost(value.value, most);
      return registry ? units + anyCost(desc, message, registry, most - units) : units;
    }
    default:
      return units;
  }
}
