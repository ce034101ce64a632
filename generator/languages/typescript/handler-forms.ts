import type { FileRegistry } from '@bufbuild/protobuf';
import type { WellKnown } from '../../../specs/messages/message-model.ts';
import { isWrapper, wrappedScalars, type Wrapper } from '../../../specs/messages/wrapped-scalars.ts';
import { scalarType, type ValueForms } from './field-types.ts';
import type { TypeText } from './layout.ts';
import type { PropertyNames } from './names.ts';

const bytes = 'Uint8Array';

/** Types of well-known messages other than wrappers. `Empty` has no fields. */
const messageTypes: Record<Exclude<WellKnown, Wrapper>, TypeText> = {
  Any: 'Any',
  Duration: 'Duration',
  Empty: 'object',
  FieldMask: 'FieldMask',
  ListValue: 'ListValue',
  NullValue: 'number',
  Struct: 'Struct',
  Timestamp: 'Timestamp',
  Value: 'Value',
};

/** Returns the type of a well-known message that is the input or output of a node itself. */
export function rootType(type: WellKnown): TypeText {
  return isWrapper(type) ? { generic: 'Wrapped', of: [unwrapped(type)] } : messageTypes[type];
}

/** Returns the type of a field whose message the library replaces with its value. */
function unwrapped(type: Wrapper): string {
  return scalarType(wrappedScalars[type], bytes);
}

/** Values of messages of protobuf-es, which `svc node serve` passes to handlers. */
export function handlerForms(registry: FileRegistry): ValueForms {
  return {
    bytes,
    wellKnown: (type, place) => {
      if (type === 'Struct') return 'JsonObject';
      return place === 'field' && isWrapper(type) ? unwrapped(type) : rootType(type);
    },
    caseName: ({ fullName }, { name }) =>
      registry.getMessage(fullName)?.fields.find((field) => field.name === name)?.localName ?? name,
    noCase: 'NoCase',
  };
}

/** Returns the library's names for a message's properties: fields and oneofs. */
export function libraryNames(registry: FileRegistry, fullName: string): PropertyNames {
  const members = registry.getMessage(fullName)?.members ?? [];
  return new Map(members.map(({ name, localName }) => [name, localName]));
}
