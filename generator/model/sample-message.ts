import type {
  EnumModel,
  FieldModel,
  FieldType,
  MessageModel,
  TypeModel,
  WellKnown,
} from '../../specs/messages/message-model.ts';
import { wellKnownOf } from '../../specs/messages/well-known.ts';
import { remembering } from '../../specs/remembering.ts';
import { createMemory } from '../remember.ts';
import { sampleScalar, sampleText } from './sample-scalar.ts';
import type { JsonValue } from './sdk-model.ts';
import { definitionOf, typeReach } from './type-reach.ts';

/** Messages inside messages, and values in the whole sample: beyond that a sample tells nothing more. */
const deepest = 3;
const mostValues = 40;

/** Makes samples of a model's messages. */
export interface Sampler {
  /**
   * The same value each time, not to be changed.
   * @param fullName a message of the model, or a well-known type of `google.protobuf`.
   */
  sample: (fullName: string) => JsonValue;
}

/**
 * Small inputs that validate, in canonical ProtoJSON, the same for the same model. They show each field once: one element of a
 * list, one entry of a map, the first field of a oneof. Deprecated fields, `Any`, and messages that hold themselves are left
 * out, unless a field is marked required by proto2 none of them is missed. All languages show the same samples of a model.
 */
export const createSampler = remembering((types: TypeModel): Sampler => {
  const messages = new Map(types.messages.map((message) => [message.fullName, message]));
  const enums = new Map(types.enums.map((each) => [each.fullName, each]));
  const reach = typeReach(types);
  const make = (fullName: string): JsonValue => {
    const message = messages.get(fullName);
    if (message) {
      const words = reach.of(fullName)?.map(definitionOf).join(' ');
      return samples.recall(
        message,
        words,
        () => new SampleMaker(messages, enums).message(message, []) ?? {},
      );
    }
    const wellKnown = wellKnownOf({ typeName: fullName });
    return (wellKnown && sampleWellKnown(wellKnown, 'value')) ?? {};
  };
  const made = new Map<string, JsonValue>();
  return {
    sample: (fullName) => {
      const sample = made.get(fullName) ?? make(fullName);
      made.set(fullName, sample);
      return sample;
    },
  };
});

/** Samples of messages. The words are the definitions of all types that a message reaches. */
const samples = createMemory<MessageModel, JsonValue>();

class SampleMaker {
  readonly #messages: ReadonlyMap<string, MessageModel>;
  readonly #enums: ReadonlyMap<string, EnumModel>;
  #values = 0;

  constructor(messages: ReadonlyMap<string, MessageModel>, enums: ReadonlyMap<string, EnumModel>) {
    this.#messages = messages;
    this.#enums = enums;
  }

  /** Undefined when the message is already being made, or is too deep. */
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
    // A field may be called `__proto__`: `fromEntries` makes a property of it all the same.
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

/** The first value that says something; a value is written by the first name of its number. */
function sampleEnum(enumeration: EnumModel | undefined): JsonValue | undefined {
  const telling = enumeration?.values.find(({ number, deprecated }) => number !== 0 && !deprecated);
  const number = telling?.number ?? enumeration?.values[0]?.number;
  return enumeration?.values.find((value) => value.number === number)?.name;
}

function sampleWellKnown(type: WellKnown, fieldName: string): JsonValue | undefined {
  switch (type) {
    case 'Any':
      return undefined;
    case 'BoolValue':
      return sampleScalar('bool', fieldName);
    case 'BytesValue':
      return sampleScalar('bytes', fieldName);
    case 'DoubleValue':
      return sampleScalar('double', fieldName);
    case 'FloatValue':
      return sampleScalar('float', fieldName);
    case 'Int32Value':
      return sampleScalar('int32', fieldName);
    case 'Int64Value':
      return sampleScalar('int64', fieldName);
    case 'StringValue':
      return sampleScalar('string', fieldName);
    case 'UInt32Value':
      return sampleScalar('uint32', fieldName);
    case 'UInt64Value':
      return sampleScalar('uint64', fieldName);
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
