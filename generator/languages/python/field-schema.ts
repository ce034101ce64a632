import type { FieldModel, MessageModel } from '../../../specs/messages/message-model.ts';
import { hasPresence } from '../../model/presence.ts';
import type { Expression, Item } from './expressions.ts';
import { call } from './expressions.ts';
import { stringLiteral } from './literals.ts';
import type { TypeTexts } from './type-texts.ts';

/**
 * Returns the description of a field by which the runtime reads and writes it: `_json.Field("unit_price", _json.INT64,
 * "unitPrice")`.
 */
export function fieldSchema(message: MessageModel, field: FieldModel, texts: TypeTexts): Expression {
  const attribute = texts.fieldName(message.fullName, field.name);
  const items: Item[] = [{ value: stringLiteral(attribute) }];
  if (field.cardinality === 'map')
    items.push({ value: texts.of({ kind: 'scalar', scalar: field.mapKey ?? 'string' }).codec });
  items.push({ value: texts.of(field.type).codec });
  if (field.jsonName !== attribute || field.name !== attribute)
    items.push({ value: stringLiteral(field.jsonName) });
  if (field.name !== attribute) items.push({ value: stringLiteral(field.name) });
  if (field.oneof !== undefined) items.push({ label: 'oneof=', value: stringLiteral(field.oneof) });
  return call(`_json.${schemaClass(field)}`, items);
}

function schemaClass(field: FieldModel): string {
  if (field.cardinality === 'repeated') return 'RepeatedField';
  if (field.cardinality === 'map') return 'MapField';
  if (!hasPresence(field)) return 'Field';
  const wellKnown = field.type.kind === 'wellKnown' ? field.type.wellKnown : undefined;
  if (wellKnown === 'Value') return 'ValueField';
  return wellKnown === 'NullValue' ? 'NullField' : 'OptionalField';
}
