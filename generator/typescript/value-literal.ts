import type { JsonObject, JsonValue } from '../model/sdk-model.ts';
import type {
  FieldModel,
  FieldType,
  MessageModel,
  Scalar,
  TypeModel,
  WellKnown,
} from '../../specs/messages/message-model.ts';
import { builders } from 'prettier/doc';
import { bracketed } from '../layout/bracketed.ts';
import type { Layout } from '../layout/print-layout.ts';
import { planned } from '../names/planned.ts';
import { entryLayout } from './layout.ts';
import { propertiesOf } from './names.ts';
import type { TypeScriptNames } from './names.ts';
import { literalKey } from './property-key.ts';
import { stringLiteral } from './string-literal.ts';

const { fill, group, hardline, ifBreak, indent, join, line, softline } = builders;

const indexes = new WeakMap<TypeModel, ReadonlyMap<string, MessageModel>>();

/** Read once a model: every snippet asks for it. */
function messagesByName(types: TypeModel): ReadonlyMap<string, MessageModel> {
  const known = indexes.get(types) ?? new Map(types.messages.map((message) => [message.fullName, message]));
  indexes.set(types, known);
  return known;
}

/** Prints ProtoJSON values as the TypeScript values that stand for them, for snippets. */
export class ValueLiterals {
  readonly #messages: ReadonlyMap<string, MessageModel>;

  readonly #names: TypeScriptNames;

  constructor(types: TypeModel, names: TypeScriptNames) {
    this.#names = names;
    this.#messages = messagesByName(types);
  }

  /** A value of a message, by its full name; well-known types included. */
  root(fullName: string, json: JsonValue): Layout {
    const message = this.#messages.get(fullName);
    return message === undefined
      ? wellKnownLiteral(fullName.slice('google.protobuf.'.length) as WellKnown, json)
      : this.#message(message, json);
  }

  #message(message: MessageModel, json: JsonValue): Layout {
    if (!isObject(json)) return jsonLiteral(json);
    const properties = propertiesOf(this.#names, message.fullName);
    const entries = message.fields.flatMap((field): Layout[] => {
      const value = ownValue(json, field.jsonName) ?? ownValue(json, field.name);
      if (value === undefined) return [];
      if (field.oneof === undefined)
        return [entry(planned(properties, field.name), this.#field(field, value))];
      const chosen = [
        entry('case', stringLiteral(field.jsonName)),
        entry('value', this.#value(field.type, value)),
      ];
      return [entry(planned(properties, field.oneof), objectLayout(chosen))];
    });
    return objectLayout(entries);
  }

  #field(field: FieldModel, json: JsonValue): Layout {
    if (Array.isArray(json) && field.cardinality === 'repeated')
      return arrayLayout(json.map((item) => this.#value(field.type, item)));
    if (isObject(json) && field.cardinality === 'map')
      return objectLayout(
        Object.entries(json).map(([key, item]) => entry(key, this.#value(field.type, item))),
      );
    return this.#value(field.type, json);
  }

  #value(type: FieldType, json: JsonValue): Layout {
    switch (type.kind) {
      case 'scalar':
        return scalarLiteral(type.scalar, json);
      case 'wellKnown':
        return wellKnownLiteral(type.wellKnown, json);
      case 'enum':
        return jsonLiteral(json);
      case 'message': {
        const message = this.#messages.get(type.fullName);
        if (message === undefined) throw new Error(`the model lacks ${type.fullName}`);
        return this.#message(message, json);
      }
    }
  }
}

function scalarLiteral(scalar: Scalar, json: JsonValue): Layout {
  if ((scalar === 'int64' || scalar === 'uint64') && (typeof json === 'string' || typeof json === 'number'))
    return `${BigInt(json)}n`;
  if ((scalar === 'double' || scalar === 'float') && typeof json === 'string') return String(Number(json));
  if (scalar === 'bytes' && typeof json === 'string') {
    const bytes = [...Buffer.from(json, 'base64')].map(String);
    return bracketed('Uint8Array.of(', bytes, ')');
  }
  return jsonLiteral(json);
}

const wrapped: Partial<Record<WellKnown, Scalar>> = {
  BytesValue: 'bytes',
  DoubleValue: 'double',
  FloatValue: 'float',
  Int64Value: 'int64',
  UInt64Value: 'uint64',
};

function wellKnownLiteral(type: WellKnown, json: JsonValue): Layout {
  const scalar = wrapped[type];
  return scalar === undefined ? jsonLiteral(json) : scalarLiteral(scalar, json);
}

function jsonLiteral(json: JsonValue): Layout {
  if (typeof json === 'string') return stringLiteral(json);
  if (Array.isArray(json)) return arrayLayout(json.map(jsonLiteral), json.every(isNumber));
  if (isObject(json))
    return objectLayout(Object.entries(json).map(([key, item]) => entry(key, jsonLiteral(item))));
  return String(json);
}

/** Prettier keeps an object open when its source is. */
function objectLayout(entries: readonly Layout[]): Layout {
  if (entries.length === 0) return '{}';
  return ['{', indent([hardline, join([',', hardline], [...entries])]), ',', hardline, '}'];
}

/** Prettier fills lines with numbers and puts everything else one below the other. */
function arrayLayout(items: readonly Layout[], areNumbers = false): Layout {
  if (items.length === 0) return '[]';
  const separated = items.map((item, index) => (index < items.length - 1 ? [item, ','] : item));
  const body = areNumbers ? fill(join(line, separated)) : join(line, separated);
  return group(['[', indent([softline, body]), ifBreak(','), softline, ']']);
}

function entry(key: string, value: Layout): Layout {
  return entryLayout(literalKey(key), value);
}

function ownValue(json: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(json, key) ? json[key] : undefined;
}

function isObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function isNumber(json: JsonValue): boolean {
  return typeof json === 'number';
}
