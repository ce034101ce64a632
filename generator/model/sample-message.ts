import type {
  EnumModel,
  FieldModel,
  FieldType,
  MessageModel,
  TypeModel,
  WellKnown,
} from '../../specs/messages/message-model.ts';
import { wellKnownOf } from '../../specs/messages/well-known.ts';
import { sampleScalar, sampleText } from './sample-scalar.ts';
import { isWrapper, wrappedScalars } from '../../specs/messages/wrapped-scalars.ts';
import type { JsonValue } from './sdk-model.ts';

/** Limits on nested messages and on values in a sample: a longer sample would explain nothing more. */
const deepest = 3;
const mostValues = 40;

/** Generates samples of a model's messages. */
interface Sampler {
  /** @param fullName a message of the model, or a well-known type of `google.protobuf`. */
  sample: (fullName: string) => JsonValue;
}

/**
 * Returns a sampler. Samples are small, valid inputs in canonical ProtoJSON, and equal models give equal samples. A
 * sample shows each field once: one element of a list, one entry of a map, the first field of a oneof. Deprecated
 * fields, `Any`, and messages that contain themselves are omitted. All languages show the same samples of a model.
 */
export function createSampler(types: TypeModel): Sampler {
  const messages = new Map(types.messages.map((message) => [message.fullName, message]));
  const enums = new Map(types.enums.map((each) => [each.fullName, each]));
  return {
    sample: (fullName) => {
      const message = messages.get(fullName);
      if (message) return new SampleMaker(messages, enums).message(message, []) ?? {};
      const wellKnown = wellKnownOf({ typeName: fullName });
      return (wellKnown && sampleWellKnown(wellKnown, 'value')) ?? {};
    },
  };
}

class SampleMaker {
  readonly #messages: ReadonlyMap<string, MessageModel>;
  readonly #enums: ReadonlyMap<string, EnumModel>;
  #values = 0;

  constructor(messages: ReadonlyMap<string, MessageModel>, enums: ReadonlyMap<string, EnumModel>) {
    this.#messages = messages;
    this.#enums = enums;
  }

  /** Returns a sample of a message. Undefined if the message contains itself here, or is nested too deeply. */
  message(message: MessageModel, inside: readonly MessageModel[]): JsonValue | undefined {
    if (inside.includes(message) || inside.length > deepest) return undefined;
    const properties: [string, JsonValue][] = [];
    const shownOneofs = new Set<string>();
    for (const field of message.fields) {
      if (field.deprecated || (field.oneof !== undefined && shownOneofs.has(field.oneof))) continue;
      const value = this.#values < mostValues ? this.#field(field, [...inside, message]) : undefined;
      if (value === undefined) continue;
      if (field.oneof !== undefined) shownOneofs.add(field.oneof);
      properties.push([field.jsonName, value]);
    }
    // A field may be named `__proto__`; `fromEntries` creates an own property for it.
    return Object.fromEntries(properties);
  }

  #field(field: FieldModel, inside: readonly MessageModel[]): JsonValue | undefined {
    const value = this.#value(field.type, field.name, inside);
    if (value === undefined) return undefined;
    if (field.cardinality === 'repeated') return [value];
    if (field.cardinality !== 'map') return value;
    const key = field.mapKey === 'string' ? 'key' : field.mapKey === 'bool' ? 'true' : '1';
    return { [key]: value };
  }

  #value(type: FieldType, fieldName: string, inside: readonly MessageModel[]): JsonValue | undefined {
    if (type.kind !== 'message') this.#values += 1;
    switch (type.kind) {
      case 'scalar':
        return sampleScalar(type.scalar, fieldName);
      case 'wellKnown':
        return sampleWellKnown(type.wellKnown, fieldName);
      case 'enum':
        return sampleEnum(this.#enums.get(type.fullName));
      case 'message': {
        const message = this.#messages.get(type.fullName);
        return message && this.message(message, inside);
      }
    }
  }
}

/** Returns the first value other than 0 that is not deprecated, by the first name of its number. */
function sampleEnum(enumeration: EnumModel | undefined): JsonValue | undefined {
  const telling = enumeration?.values.find(({ number, deprecated }) => number !== 0 && !deprecated);
  const number = telling?.number ?? enumeration?.values[0]?.number;
  return enumeration?.values.find((value) => value.number === number)?.name;
}

function sampleWellKnown(type: WellKnown, fieldName: string): JsonValue | undefined {
  if (isWrapper(type)) return sampleScalar(wrappedScalars[type], fieldName);
  switch (type) {
    case 'Any':
      return undefined;
    case 'Duration':
      return '1.500s';
    case 'Empty':
      return {};
    case 'FieldMask':
      return 'name';
    case 'ListValue':
      return [sampleText(fieldName)];
    case 'NullValue':
      return null;
    case 'Struct':
      return { key: 'value' };
    case 'Timestamp':
      return '2026-01-31T09:30:00Z';
    case 'Value':
      return sampleText(fieldName);
  }
}
