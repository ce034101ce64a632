import { type DescMessage, toJson } from '@bufbuild/protobuf';
import fc from 'fast-check';
import type { MessageRegistry } from '../../service/messages/registry.ts';
import { arbitraryMessage } from './arbitrary-message.ts';

/** Values that some type may accept. */
const suspects: readonly unknown[] = [
  null, true, false, 0, 1, -1, 1.5, -0.25, 7, 9, 2147483647, 2147483648, -2147483649, 4294967296, 1e20, 3.5e38, 1e300,
  9007199254740992, {}, [], [null], [1, '2'], { a: 1 }, { '@type': 'x' }, { true: 'RED', yes: 1 }, { '01': 'a', '1': 'b' },
  { '7': 'a', '-7': '1', x: 1 }, { a: { aString: 'x' } }, { unknown: 1 }, [{ child: null }], [['a']], { value: null },
  '', ' ', '0', '-0', '1', '-1', '007', '+5', ' 1', '1.0', '1.5', '1e2', '1E+3', '0x10', '.5', '5.', '1e999', '1_000',
  '2147483648', '4294967296', '9223372036854775808', '18446744073709551616', '123456789012345678901234567890',
  'NaN', 'Infinity', '-Infinity', 'nan', 'abc', 'RED', 'BLUE', 'NULL_VALUE', 'true',
  'c2hpcA', 'c2hpcA==', 'c2hp', 'c2hpc', 'c2 hp', 'YQ==YQ==', '-_-_', '+/+/', '====', 'é',
  '2026-01-31T09:30:00Z', '2026-02-31T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-31T24:00:00Z', '2026-01-31t00:00:00z',
  '2026-01-31T09:30:60Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '2026-01-31T09:30:00.123456789+01:00',
  '2026-01-31T09:30:00.1234567890Z', '2026-01-31 09:30:00Z', '2026-01-31',
  '1s', '-1.5s', '0.5s', '1.1234567891s', '1m', '315576000001s', '0000000000000001s', '.5s', '1s ',
  'a', 'a,b.c', 'a_b', 'aB,', 'userName',
]; // prettier-ignore

/** Validators may ignore a property of this name, as ajv does. */
const unseen = '__proto__';

/** Returns ProtoJSON of a type, usually mutated: changed names and values, added and removed fields. */
export function mutatedJson(registry: MessageRegistry, type: DescMessage): fc.Arbitrary<unknown> {
  const canonical = arbitraryMessage(type).map((message) => toJson(type, message, { registry }) as unknown);
  const names = type.fields
    .flatMap(({ name, jsonName }) => [name, jsonName])
    .filter((name) => name !== unseen);
  const suspect = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...suspects) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
  const field = fc.tuple(fc.constantFrom(...names), suspect);
  const few = fc.uniqueArray(field, { maxLength: 2, selector: ([name]) => name }).map(Object.fromEntries);
  const change = fc.record({
    at: fc.nat(),
    value: suspect,
    name: fc.constantFrom(...names, 'unknown', '1', '01', 'x'),
  });
  const changed = fc
    .tuple(
      fc.oneof({ weight: 1, arbitrary: canonical }, { weight: 3, arbitrary: few }),
      fc.array(change, { maxLength: 3 }),
    )
    .map(([json, changes]) => changes.reduce(applyChange, json));
  return fc.oneof({ weight: 4, arbitrary: few }, { weight: 1, arbitrary: changed });
}

interface Change {
  /** Index of the place. */
  at: number;
  value: unknown;
  name: string;
}

/** Changes one value of the JSON, or adds a property to an object. */
function applyChange(json: unknown, { at, value, name }: Change): unknown {
  const copy: unknown = structuredClone(json);
  const places: [holder: Record<string, unknown>, key: string][] = [];
  const collect = (inside: unknown): void => {
    if (typeof inside !== 'object' || inside === null) return;
    const holder = inside as Record<string, unknown>;
    if (!Array.isArray(inside)) places.push([holder, name]);
    for (const key of Object.keys(holder)) {
      if (key !== unseen) places.push([holder, key]);
      collect(holder[key]);
    }
  };
  collect(copy);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return value;
  const [holder, key] = place;
  holder[key] = value;
  return copy;
}
