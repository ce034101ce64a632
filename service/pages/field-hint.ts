import type { DescField } from '@bufbuild/protobuf';
import { scalarName } from '../../specs/messages/describe-field-type.ts';

/** Enums with more values are described by their names instead. */
const maxValues = 10;

/** Describes what to write for a field in JSON: `approved (true or false)`, `lines (list of Line)`. */
export function fieldHint(field: DescField): string {
  const shape = { list: 'list of ', map: 'object of ' }[field.fieldKind as string] ?? '';
  return `${field.jsonName} (${shape}${valueHint(field)})`;
}

function valueHint(field: DescField): string {
  if (field.message) return field.message.name;
  if (field.enum) {
    const { name, values } = field.enum;
    return values.length > maxValues ? name : values.map((one) => one.name).join(' or ');
  }
  const scalar = scalarName(field.scalar);
  if (scalar === 'bool') return 'true or false';
  if (scalar === 'string') return 'text';
  return scalar === 'bytes' ? 'base64' : 'number';
}
