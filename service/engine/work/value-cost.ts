import { isCelList, isCelMap } from '@bufbuild/cel';
import { isMessage } from '@bufbuild/protobuf';
import { isReflectList, isReflectMap, isReflectMessage } from '@bufbuild/protobuf/reflect';

/** Characters or bytes that a native operation processes per unit of cost. */
const sizePerUnit = 256;

/** Units of an entry of a map: two for its key and its value, and the rest for enumerating it. */
const unitsOfEntry = 3;

/**
 * Computes the cost of traversing a whole value: one unit per part, and more for long strings. Shared parts count each time they are
 * reached. Counting stops beyond `most`.
 */
export function valueCost(value: unknown, most: number): number {
  let cost = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && cost <= most) {
    const next = open.pop();
    cost += 1;
    if (typeof next === 'string' || next instanceof Uint8Array) cost += next.length / sizePerUnit;
    else if (typeof next === 'object' && next !== null) cost += openParts(next, open, most - cost);
  }
  return cost;
}

/** Queues the parts of a value for counting. Returns their cost beyond one unit each, or their number if it exceeds the budget. */
function openParts(value: object, open: unknown[], most: number): number {
  if (isCelList(value) || isReflectList(value)) {
    if (value.size > most) return value.size;
    for (const part of value) open.push(part);
  } else if (isCelMap(value) || isReflectMap(value)) {
    if (value.size * unitsOfEntry > most) return value.size * unitsOfEntry;
    for (const [key, part] of value) open.push(key, part);
    return value.size * (unitsOfEntry - 2);
  } else if (isReflectMessage(value)) {
    for (const field of value.fields) if (value.isSet(field)) open.push(value.get(field));
  } else if (isMessage(value)) {
    // The plain content of a Value.
    for (const part of Object.values(value)) open.push(part);
  } else if (Array.isArray(value)) {
    if (value.length > most) return value.length;
    for (const part of value) open.push(part);
  }
  return 0;
}
