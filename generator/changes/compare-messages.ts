import type { FieldModel, MessageModel } from '../../specs/messages/message-model.ts';
import type { ChangeList } from './change-list.ts';
import { compareDocumentation } from './compare-documentation.ts';
import { comparePairs } from './compare-pairs.ts';

/**
 * Compares two messages with the same name. Reading and writing the same JSON is not enough: the JSON name, presence and oneof of
 * a field are part of what programs are compiled against.
 */
export function compareMessages(before: MessageModel, after: MessageModel, changes: ChangeList): void {
  compareDocumentation(`Message ${after.fullName}`, before, after, changes);
  const nameOf = (field: FieldModel): string => `Field ${after.fullName}.${field.name}`;
  comparePairs(before.fields, after.fields, ({ name }) => name, {
    added: (field) => {
      // A program's switch over the cases may lack this one.
      const place = field.oneof === undefined ? '' : ` in oneof ${field.oneof}`;
      changes.added(`${nameOf(field)}${place}.`);
    },
    removed: (field) => changes.removed(`${nameOf(field)}.`),
    both: (old, now) => {
      const [was, is] = [typeText(old), typeText(now)];
      if (was !== is) changes.broken(`${nameOf(now)} is ${is} instead of ${was}.`);
      if (old.jsonName !== now.jsonName) {
        changes.broken(`${nameOf(now)} is ${now.jsonName} in JSON instead of ${old.jsonName}.`);
      }
      compareDocumentation(nameOf(now), old, now, changes);
    },
  });
}

/** Everything that a program sees of a field's type: `optional int64`, `map<string, acme.v1.Word>`, `string in oneof pick`. */
function typeText({ type, cardinality, mapKey, oneof }: FieldModel): string {
  const value =
    type.kind === 'scalar'
      ? type.scalar
      : type.kind === 'wellKnown'
        ? `google.protobuf.${type.wellKnown}`
        : type.fullName;
  if (cardinality === 'map') return `map<${mapKey ?? ''}, ${value}>`;
  const held = cardinality === 'single' ? value : `${cardinality} ${value}`;
  return oneof === undefined ? held : `${held} in oneof ${oneof}`;
}
