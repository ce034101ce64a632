import type { DescField, DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { scalarName } from '../../../specs/messages/describe-field-type.ts';
import type { Shape } from '../transforms/shape.ts';

/** Returns the shape of a field's values. Wrappers (`google.protobuf.StringValue`) are scalars with presence. */
export function fieldShape(field: DescField): Shape {
  switch (field.fieldKind) {
    case 'list':
      return { kind: 'list', element: elementShape(field) };
    case 'map':
      return { kind: 'map', key: scalarShape(field.mapKey), value: elementShape(field) };
    default:
      return elementShape(field);
  }
}

/** Returns the shape of a list element, a map value, or the value of a singular field. */
function elementShape(field: DescField): Shape {
  if (field.message !== undefined) return messageShape(field.message);
  if (field.enum !== undefined) return { kind: 'enum', type: field.enum };
  return scalarShape(field.scalar);
}

/** Returns the shape of a message. A wrapper has the shape of its scalar. */
export function messageShape(type: DescMessage): Shape {
  if (!isWrapperDesc(type)) return { kind: 'message', type };
  return scalarShape(type.fields[0].scalar);
}

function scalarShape(scalar: ScalarType): Shape {
  return { kind: scalarName(scalar) };
}
