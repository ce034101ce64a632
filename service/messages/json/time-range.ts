import type { DescField, DescMessage, Message, Registry } from '@bufbuild/protobuf';
import { type Any, anyUnpack, type Duration, type Timestamp } from '@bufbuild/protobuf/wkt';
import { isMessageOf } from '../field-values.ts';
import { containsTime } from './time-json.ts';

/**
 * Finds a time of a message that has no JSON form, because its bytes hold numbers out of range. The library's `toJson` fails with
 * `Invalid count value: -1`, or writes another time.
 *
 * @param registry resolves the content of an `Any`
 * @returns a sentence that begins with the path of the field: `lines[2].timeout: ...`
 */
export function findTimeOutOfRange(
  type: DescMessage,
  message: Message,
  registry: Registry | undefined,
): string | undefined {
  const problem = findIn(type, message, { registry, path: '' });
  return problem && (problem.path === '' ? problem.text : `${problem.path}: ${problem.text}`);
}

interface Place {
  registry: Registry | undefined;
  path: string;
}

interface Problem {
  path: string;
  text: string;
}

function findIn(type: DescMessage, message: Message, place: Place): Problem | undefined {
  if (!containsTime(type)) return undefined;
  switch (type.typeName) {
    case 'google.protobuf.Duration':
      return at(place, durationProblem(message as Duration));
    case 'google.protobuf.Timestamp':
      return at(place, timestampProblem(message as Timestamp));
    case 'google.protobuf.Any': {
      const { registry } = place;
      const embedded = registry && anyUnpack(message as Any, registry);
      const embeddedType = embedded && registry.getMessage(embedded.$typeName);
      return embeddedType && findIn(embeddedType, embedded, place);
    }
  }
  for (const field of type.fields) {
    if (!field.message || !containsTime(field.message)) continue;
    for (const [suffix, value] of entriesOf(field, message)) {
      if (!isMessageOf(field.message, value)) continue;
      const name = place.path === '' ? field.jsonName : `${place.path}.${field.jsonName}`;
      const found = findIn(field.message, value, { ...place, path: name + suffix });
      if (found) return found;
    }
  }
  return undefined;
}

function at({ path }: Place, text: string | undefined): Problem | undefined {
  return text === undefined ? undefined : { path, text };
}

/** The values of a field, each with the suffix that its path adds to the field's name. */
function entriesOf(field: DescField, message: Record<string, unknown>): [suffix: string, value: unknown][] {
  if (field.oneof) {
    const member = message[field.oneof.localName] as { case: string | undefined; value?: unknown };
    return member.case === field.localName ? [['', member.value]] : [];
  }
  const value = message[field.localName];
  if (field.fieldKind === 'list') return (value as unknown[]).map((item, index) => [`[${index}]`, item]);
  if (field.fieldKind === 'map') {
    return Object.entries(value as object).map(([key, item]) => [`[${JSON.stringify(key)}]`, item]);
  }
  return [['', value]];
}

/** 10,000 years. */
const maxDurationSeconds = 315_576_000_000n;
/** From 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z. */
const timestampSeconds = { first: -62_135_596_800n, last: 253_402_300_799n };
const maxNanos = 999_999_999;

function durationProblem({ seconds, nanos }: Duration): string | undefined {
  if (seconds < -maxDurationSeconds || seconds > maxDurationSeconds) {
    return `a google.protobuf.Duration has at most ${maxDurationSeconds} seconds, got ${seconds}`;
  }
  if (Math.abs(nanos) > maxNanos) {
    return `the nanos of a google.protobuf.Duration are from -${maxNanos} to ${maxNanos}, got ${nanos}`;
  }
  const mixed = (seconds > 0n && nanos < 0) || (seconds < 0n && nanos > 0);
  return mixed
    ? `seconds and nanos of a google.protobuf.Duration have the same sign, got ${seconds} and ${nanos}`
    : undefined;
}

function timestampProblem({ seconds, nanos }: Timestamp): string | undefined {
  if (seconds < timestampSeconds.first || seconds > timestampSeconds.last) {
    return `a google.protobuf.Timestamp lies in the years 1 to 9999, got ${seconds} seconds since 1970`;
  }
  return nanos < 0 || nanos > maxNanos
    ? `the nanos of a google.protobuf.Timestamp are from 0 to ${maxNanos}, got ${nanos}`
    : undefined;
}
