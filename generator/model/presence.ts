import type { FieldModel } from '../../specs/messages/message-model.ts';

/**
 * Reports whether absence of a field differs from its default value, as protobuf defines it. A plain `NullValue` is an
 * enum: absence and null are the same.
 */
export function hasPresence({ cardinality, oneof, type }: FieldModel): boolean {
  if (cardinality === 'repeated' || cardinality === 'map') return false;
  if (cardinality === 'optional' || oneof !== undefined) return true;
  if (type.kind === 'wellKnown') return type.wellKnown !== 'NullValue';
  return type.kind === 'message';
}

/**
 * Reports whether a field has presence, or is a plain `NullValue`: for languages that distinguish an explicit null from
 * absence.
 */
export function mayBeAbsent(field: FieldModel): boolean {
  const { cardinality, type } = field;
  return hasPresence(field) || (cardinality === 'single' && type.kind === 'wellKnown');
}
