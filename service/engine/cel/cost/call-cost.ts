import { isCelList, isCelMap } from '@bufbuild/cel';
import type { CelValue } from '@bufbuild/cel';
import { isReflectMap, isReflectMessage } from '@bufbuild/protobuf/reflect';
import { internalFunctions } from './bound-cost.ts';
import { valueCost } from '../../work/value-cost.ts';

/** Cost of each placeholder of a format, whose numbers the platform formats by locale. */
const unitsOfPlaceholder = 50;
/** Cost of parsing or computing a time or a duration, beyond the call. */
const unitsOfTime = 3;
/** Cost of a division beyond the call: dividing by zero produces an error, which takes as long as several calls. */
const unitsOfDivision = 1.5;
/** Cost of enumerating an element of a list, and a key of a map. */
const unitsOfElement = 0.5;
const unitsOfKey = 2;
/** Cost of reading a time in a zone from the tables of the platform. */
const unitsOfTimeZone = 400;

/**
 * Characters that functions process per unit of work. Functions that charge for themselves are not listed (`text-functions.ts`).
 */
const charactersPerUnit: ReadonlyMap<string, number> = new Map([
  ['format', 8],
  ['lowerAscii', 16],
  ['strings.quote', 8],
  ['trim', 8],
  ['upperAscii', 16],
]);
/** Functions whose cost does not depend on the content of lists and maps. */
const shallowFunctions: ReadonlySet<string> = new Set([
  '_+_',
  'dyn',
  'size',
  'type',
  internalFunctions.append,
  internalFunctions.list,
]);

/**
 * Computes the cost of a call before it runs.
 *
 * @param values target and arguments
 * @param left remaining budget. Counting stops beyond it.
 */
export function callCost(name: string, values: readonly CelValue[], left: number): number {
  const [first] = values;
  if (name === internalFunctions.tick) return Number(first);
  if (name === internalFunctions.range)
    return 1 + sizeOf(first) * (isMap(first) ? unitsOfKey : unitsOfElement);
  let cost = 1;
  if (typeof first === 'string') cost += first.length / (charactersPerUnit.get(name) ?? Infinity);
  if (name === 'format' && typeof first === 'string') cost += unitsOfPlaceholder * first.split('%').length;
  if (name === '_/_' || name === '_%_') cost += unitsOfDivision;
  if (name === 'timestamp' || name === 'duration' || isReflectMessage(first)) cost += unitsOfTime;
  if (name.startsWith('get') && values.length === 2) cost += unitsOfTimeZone;
  for (const value of values) {
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) continue;
    cost +=
      shallowFunctions.has(name) && typeof value === 'object'
        ? shallowCost(name, value)
        : valueCost(value, left);
  }
  return cost;
}

function shallowCost(name: string, value: object): number {
  if (value instanceof Uint8Array) return valueCost(value, Infinity);
  return name === '_+_' && isCelList(value) ? value.size / 2 : 1;
}

function isMap(value: unknown): boolean {
  return isCelMap(value) || isReflectMap(value);
}

function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null && 'size' in value ? Number(value.size) : 0;
}
