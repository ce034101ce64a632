import { entriesOf, givenFields } from './sample-json.ts';
import type { JsonValue } from './sdk-model.ts';
import type { TypeIndex } from './type-index.ts';

/**
 * Full names of the messages and enums that a program names to make a sample: its own, and those of the fields it gives, each
 * once. Samples of one object name types of the same kind at the same places, whatever a model calls them: with the names
 * that a plan has for these types, and for their parts, such a program is told apart from all others (`generator/remember.ts`).
 *
 * @param fullName message or well-known type that the sample is of.
 */
export function typesInSample(types: TypeIndex, fullName: string, sample: JsonValue): Set<string> {
  const found = new Set<string>();
  if (types.isMessage(fullName)) collect(types, fullName, sample, found);
  return found;
}

function collect(types: TypeIndex, fullName: string, sample: JsonValue, found: Set<string>): void {
  found.add(fullName);
  for (const { field, value } of givenFields(types.message(fullName), sample)) {
    const { type, cardinality } = field;
    if (type.kind === 'enum') found.add(type.fullName);
    if (type.kind !== 'message') continue;
    for (const each of valuesOf(value, cardinality)) collect(types, type.fullName, each, found);
  }
}

function valuesOf(value: JsonValue, cardinality: string): readonly JsonValue[] {
  if (cardinality === 'repeated') return Array.isArray(value) ? value : [value];
  if (cardinality === 'map') return entriesOf(value).map(([, item]) => item);
  return [value];
}
