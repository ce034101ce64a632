import type { JsonObject, JsonValue } from '../../model/sdk-model.ts';
import type {
  FieldModel,
  FieldType,
  MessageModel,
  Scalar,
  WellKnown,
} from '../../../specs/messages/message-model.ts';
import { builders } from 'prettier/doc';
import { bracketed } from '../../layout/bracketed.ts';
import type { Layout } from '../../layout/print-layout.ts';
import { givenFields } from '../../samples/sample-json.ts';
import type { TypeIndex } from '../../model/type-index.ts';
import { planned } from '../../names/planned.ts';
import { entryLayout } from './layout.ts';
import { propertiesOf } from './names.ts';
import type { TypeScriptNames } from './names.ts';
import { literalKey } from './property-key.ts';
import { stringLiteral } from './string-literal.ts';

const { fill, group, hardline, ifBreak, indent, join, line, softline } = builders;

/** Prints ProtoJSON values as TypeScript values, for snippets. */
export class ValueLiterals {
  readonly #types: TypeIndex;
  readonly #names: TypeScriptNames;

  constructor(types: TypeIndex, names: TypeScriptNames) {
    this.#types = types;
    this.#names = names;
  }

  /** Returns a value of a message, by its full name; including well-known types. */
  root(fullName: string, json: JsonValue): Layout {
    return this.#value(this.#types.rootType(fullName), json);
  }

  #message(message: MessageModel, json: JsonValue): Layout {
    if (!isObject(json)) return jsonLiteral(json);
    const properties = propertiesOf(this.#names, message.fullName);
    const entries = givenFields(message, json).map(({ field, value }): Layout => {
      if (field.oneof === undefined) return entry(planned(properties, field.name), this.#field(field, value));
      const chosen = [
        entry('case', stringLiteral(field.jsonName)),
        entry('value', this.#value(field.type, value)),
      ];
      return entry(planned(properties, field.oneof), objectLayout(chosen));
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
      case 'message':
        return this.#message(this.#types.message(type.fullName), json);
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

/** Lays out an object broken over lines. Prettier keeps an object broken when its source is. */
function objectLayout(entries: readonly Layout[]): Layout {
  if (entries.length === 0) return '{}';
  return ['{', indent([hardline, join([',', hardline], [...entries])]), ',', hardline, '}'];
}

/** Lays out an array. Prettier fills lines with numbers, and puts all other items on separate lines. */
function arrayLayout(items: readonly Layout[], areNumbers = false): Layout {
  if (items.length === 0) return '[]';
  const separated = items.map((item, index) => (index < items.length - 1 ? [item, ','] : item));
  const body = areNumbers ? fill(join(line, separated)) : join(line, separated);
  return group(['[', indent([softline, body]), ifBreak(','), softline, ']']);
}

/** Lays out an entry. Prettier keeps a number or boolean on the line of its key, no matter how long that is. */
function entry(key: string, value: Layout): Layout {
  const stays = typeof value === 'string' && /^(?:\d[\d.e+-]*|true|false)$/.test(value);
  return stays ? [literalKey(key), ': ', value] : entryLayout(literalKey(key), value);
}

function isObject(json: JsonValue): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function isNumber(json: JsonValue): boolean {
  return typeof json === 'number';
}
