import type {
  FieldModel,
  FieldType,
  MessageModel,
  Scalar,
  WellKnown,
} from '../../../specs/messages/message-model.ts';
import { isWrapper, wrappedScalars, type Wrapper } from '../../../specs/messages/wrapped-scalars.ts';
import { hasPresence } from '../../model/presence.ts';
import { planned } from '../../names/planned.ts';
import { stringLiteral } from './string-literal.ts';
import type { TypeText } from './layout.ts';
import type { PropertyNames } from './names.ts';

/** Finds the type name of a message or enum by its full name. */
export type TypeNames = ReadonlyMap<string, string>;

const scalarTypes: Record<Exclude<Scalar, 'bytes'>, string> = {
  bool: 'boolean',
  double: 'number',
  float: 'number',
  int32: 'number',
  int64: 'bigint',
  string: 'string',
  uint32: 'number',
  uint64: 'bigint',
};

const wellKnownTypes: Record<Exclude<WellKnown, Wrapper>, TypeText> = {
  Any: 'AnyMessage',
  Duration: 'string',
  Empty: { generic: 'Record', of: ['string', 'never'] },
  FieldMask: 'string',
  ListValue: { arrayOf: 'JsonValue' },
  NullValue: 'null',
  Struct: 'JsonObject',
  Timestamp: 'TimestampText',
  Value: 'JsonValue',
};

/** Where a value is: directly in a field, or in a list, a map or a oneof. */
type ValuePlace = 'field' | 'part';

/** How values look in one kind of program. The messages of an SDK are the default; handlers receive messages of another library. */
export interface ValueForms {
  /** Type of a scalar of bytes. */
  bytes: string;
  wellKnown(type: WellKnown, place: ValuePlace): TypeText;
  caseName(message: MessageModel, field: FieldModel): string;
  /** Type of the property of a oneof in which nothing is set. Absent: the property is also absent. */
  noCase?: TypeText;
}

/** Values in the messages of an SDK. */
export const sdkForms: ValueForms = {
  bytes: 'ByteArray',
  wellKnown: (type) =>
    isWrapper(type) ? scalarType(wrappedScalars[type], 'ByteArray') : wellKnownTypes[type],
  caseName: (_, field) => field.jsonName,
};

/**
 * Returns the TypeScript type of a scalar.
 *
 * @param bytes type of a scalar of bytes
 */
export function scalarType(scalar: Scalar, bytes: string): string {
  return scalar === 'bytes' ? bytes : scalarTypes[scalar];
}

/** Returns the TypeScript type of a single value. */
export function valueType(
  type: FieldType,
  names: TypeNames,
  { forms = sdkForms, place = 'part' }: { forms?: ValueForms; place?: ValuePlace } = {},
): TypeText {
  switch (type.kind) {
    case 'scalar':
      return scalarType(type.scalar, forms.bytes);
    case 'wellKnown':
      return forms.wellKnown(type.wellKnown, place);
    case 'enum':
    case 'message': {
      const name = names.get(type.fullName);
      if (name === undefined) throw new Error(`no type was planned for ${type.fullName}`);
      return name;
    }
  }
}

/** Returns the TypeScript type of a field's property. */
export function fieldType(field: FieldModel, names: TypeNames, forms = sdkForms): TypeText {
  const isPart = field.cardinality === 'repeated' || field.cardinality === 'map';
  const value = valueType(field.type, names, { forms, place: isPart ? 'part' : 'field' });
  if (field.cardinality === 'repeated') return { arrayOf: value };
  if (field.cardinality === 'map') return { generic: 'Record', of: ['string', value] };
  return value;
}

/** Returns the TypeScript type of a oneof's property: the case that is set. */
export function oneofType(
  message: MessageModel,
  cases: readonly FieldModel[],
  names: TypeNames,
  forms = sdkForms,
): TypeText {
  const texts = cases.map((field): TypeText => ({
    generic: 'Case',
    of: [stringLiteral(forms.caseName(message, field)), valueType(field.type, names, { forms })],
  }));
  if (forms.noCase !== undefined) texts.push(forms.noCase);
  const [only] = texts;
  return texts.length === 1 && only !== undefined ? only : { anyOf: texts };
}

/** Reports whether a message that was read always has the field's property: its absence is its default value. */
export function isAlwaysPresent(field: FieldModel): boolean {
  return !hasPresence(field);
}

/** A property of a message's interface: a field, or a oneof with the fields that are its cases. */
export interface MessageProperty {
  name: string;
  field?: FieldModel;
  cases: FieldModel[];
  /** The oneof's own name in the proto file. */
  oneof?: string;
}

/** Returns the properties in the order of the fields; a oneof has the position of its first case. */
export function messageProperties(message: MessageModel, propertyNames: PropertyNames): MessageProperty[] {
  const properties: MessageProperty[] = [];
  const seen = new Set<string>();
  for (const field of message.fields) {
    if (field.oneof === undefined)
      properties.push({ name: planned(propertyNames, field.name), field, cases: [] });
    else if (!seen.has(field.oneof)) {
      seen.add(field.oneof);
      properties.push({
        name: planned(propertyNames, field.oneof),
        oneof: field.oneof,
        cases: message.fields.filter((other) => other.oneof === field.oneof),
      });
    }
  }
  return properties;
}
