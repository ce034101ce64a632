import { isCelList } from '@bufbuild/cel';
import type { CelValue } from '@bufbuild/cel';
import { isTrustedSearch } from '../../text/search.ts';
import { internalFunctions } from './bound-cost.ts';
import { valueCost } from './value-cost.ts';

/** Reading a time in a zone goes through the platform's tables. */
const unitsOfTimeZone = 400;

/** Characters of their text that functions go through in the time of a unit, where native ones do not do the work. */
const charactersPerUnit: ReadonlyMap<string, number> = new Map([
  ['format', 8],
  ['lowerAscii', 64],
  ['replace', 64],
  ['size', 128],
  ['split', 16],
  ['strings.quote', 8],
  ['trim', 8],
  ['upperAscii', 64],
]);
/** The same for a search in which the native one is not trusted (service/engine/text/search.ts). */
const charactersPerUnitOfSearch = 16;

const searches: ReadonlySet<string> = new Set(['contains', 'indexOf', 'lastIndexOf', 'replace', 'split']);
/** Functions whose time does not depend on what is inside of a list or a map. */
const shallowFunctions: ReadonlySet<string> = new Set([
  '_+_',
  'dyn',
  'size',
  'type',
  internalFunctions.append,
  internalFunctions.list,
]);

/**
 * Units that a call takes, counted before it is made.
 *
 * @param values target and arguments.
 * @param left counting stops beyond it.
 */
export function callCost(name: string, values: readonly CelValue[], left: number): number {
  const [first, second] = values;
  if (name === internalFunctions.tick) return Number(first);
  if (name === internalFunctions.range) return 1 + sizeOf(first) / 2;
  let cost = 1;
  if (typeof first === 'string') cost += first.length / (charactersPerUnit.get(name) ?? Infinity);
  if (searches.has(name) && typeof first === 'string' && typeof second === 'string') {
    if (!isTrustedSearch(first, second)) cost += (first.length + second.length) / charactersPerUnitOfSearch;
  }
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

function sizeOf(value: unknown): number {
  return typeof value === 'object' && value !== null && 'size' in value ? Number(value.size) : 0;
}
