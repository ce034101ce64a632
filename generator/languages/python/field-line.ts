import type { FieldModel } from '../../../specs/messages/message-model.ts';
import { hasPresence } from '../../model/presence.ts';
import type { AnnotatedAssignment } from './annotated-assignment.ts';
import { annotationItem, annotationParts, printAssignment } from './annotated-assignment.ts';
import type { Item } from './expressions.ts';
import type { TypeText, TypeTexts } from './type-texts.ts';

/** Returns a field of a dataclass: `text: str = ""`. */
export function fieldLine(attribute: string, field: FieldModel, texts: TypeTexts): string {
  return printAssignment({ name: attribute, ...typed(field, texts.of(field.type), texts) });
}

/** Returns the annotation, and the value of an absent field. */
function typed(field: FieldModel, type: TypeText, texts: TypeTexts): Omit<AnnotatedAssignment, 'name'> {
  const own = annotationItem(type.annotation);
  const parts = annotationParts(type.annotation);
  if (field.cardinality === 'repeated')
    return {
      annotation: [{ open: 'list[', items: [{ value: own }], close: ']' }],
      value: 'field(default_factory=list)',
    };
  if (field.cardinality === 'map') {
    const key = texts.of({ kind: 'scalar', scalar: field.mapKey ?? 'string' }).annotation;
    const items: Item[] = [{ value: key }, { value: own }];
    return { annotation: [{ open: 'dict[', items, close: ']' }], value: 'field(default_factory=dict)' };
  }
  if (field.type.kind === 'wellKnown' && field.type.wellKnown === 'Value')
    return { annotation: [...parts, '_json.Unset'], value: '_json.UNSET' };
  if (hasPresence(field)) return { annotation: [...parts, 'None'], value: 'None' };
  return { annotation: parts, value: type.default ?? 'None' };
}
