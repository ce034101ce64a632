import type { FileRegistry } from '@bufbuild/protobuf';
import type { WellKnown } from '../../../specs/messages/message-model.ts';
import type { ValueForms } from './field-types.ts';
import type { TypeText } from './layout.ts';
import type { PropertyNames } from './names.ts';

/** Types of well-known messages that the library keeps as messages. `Empty` has no fields. */
const messageTypes: Record<WellKnown, TypeText> = {
  Any: 'Any',
  BoolValue: wrapper('boolean'),
  BytesValue: wrapper('Uint8Array'),
  DoubleValue: wrapper('number'),
  Duration: 'Duration',
  Empty: 'object',
  FieldMask: 'FieldMask',
  FloatValue: wrapper('number'),
  Int32Value: wrapper('number'),
  Int64Value: wrapper('bigint'),
  ListValue: 'ListValue',
  NullValue: 'number',
  StringValue: wrapper('string'),
  Struct: 'Struct',
  Timestamp: 'Timestamp',
  UInt32Value: wrapper('number'),
  UInt64Value: wrapper('bigint'),
  Value: 'Value',
};

/** Types of fields whose message the library replaces with its value. */
const unwrapped: Partial<Record<WellKnown, TypeText>> = {
  BoolValue: 'boolean',
  BytesValue: 'Uint8Array',
  DoubleValue: 'number',
  FloatValue: 'number',
  Int32Value: 'number',
  Int64Value: 'bigint',
  StringValue: 'string',
  UInt32Value: 'number',
  UInt64Value: 'bigint',
};

function wrapper(type: string): TypeText {
  return { generic: 'Wrapped', of: [type] };
}

/** Type of a well-known message that is the input or output of a node itself. */
export function rootType(type: WellKnown): TypeText {
  return messageTypes[type];
}

/** Values of messages of protobuf-es, which `svc node serve` passes to handlers. */
export function handlerForms(registry: FileRegistry): ValueForms {
  return {
    bytes: 'Uint8Array',
    wellKnown: (type, place) => {
      if (type === 'Struct') return 'JsonObject';
      return (place === 'field' ? unwrapped[type] : undefined) ?? messageTypes[type];
    },
    caseName: ({ fullName }, { name }) =>
      registry.getMessage(fullName)?.fields.find((field) => field.name === name)?.localName ?? name,
    noCase: 'NoCase',
  };
}

/** The library's names for a message's properties: fields and oneofs. */
export function libraryNames(registry: FileRegistry, fullName: string): PropertyNames {
  const members = registry.getMessage(fullName)?.members ?? [];
  return new Map(members.map(({ name, localName }) => [name, localName]));
}
