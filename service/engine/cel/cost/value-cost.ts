import { isCelList, isCelMap } from '@bufbuild/cel';
import { isMessage } from '@bufbuild/protobuf';
import { isReflectList, isReflectMap, isReflectMessage } from '@bufbuild/protobuf/reflect';

/** Characters or bytes that a native operation goes through in the time of one unit. */
const sizePerUnit = 256;

/**
 * Units that a function may spend on a value when it goes through all of it: one for each part, and more for long texts. Parts
 * that are reached twice count twice, as they do for the function. Stops counting beyond `most`.
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

/** Puts the parts of a value where they will be counted, or says that they are more than can be spent. */
function openParts(value: object, open: unknown[], most: number): number {
  if (isCelList(value) || isReflectList(value)) {
    if (value.size > most) return value.size;
    for (const part of value) open.push(part);
  } else if (isCelMap(value) || isReflectMap(value)) {
    if (value.size > most) return value.size;
    for (const [key, part] of value) open.push(key, part);
  } else if (isReflectMessage(value)) {
    for (const field of value.fields) if (value.isSet(field)) open.push(value.get(field));
  } else if (isMessage(value)) {
    // What a Value holds, as protobuf-es keeps it.
    for (const part of Object.values(value)) open.push(part);
  } else if (Array.isArray(value)) {
    if (value.length > most) return value.length;
    for (const part of value) open.push(part);
  }
  return 0;
}
