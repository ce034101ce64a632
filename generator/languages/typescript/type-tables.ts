import type {
  EnumModel,
  FieldModel,
  FieldType,
  MessageModel,
  WellKnown,
} from '../../../specs/messages/message-model.ts';
import { describedLines, docComment } from './doc-comment.ts';
import type { TypeNames } from './field-types.ts';
import { builders } from 'prettier/doc';
import { bracketed } from '../../layout/bracketed.ts';
import type { Layout } from '../../layout/print-layout.ts';
import { prettierStyle } from '../../layout/print-layout.ts';
import { planned } from '../../names/planned.ts';
import { assignment, entryLayout, fitsLine, indented, print } from './layout.ts';
import { tableName } from './names.ts';
import type { PropertyNames } from './names.ts';
import { literalKey } from './property-key.ts';
import { stringLiteral } from './string-literal.ts';

const { breakParent } = builders;

/** Returns the table that drives a message's codec, as a constant. */
export function messageTable(
  message: MessageModel,
  name: string,
  types: TypeNames,
  propertyNames: PropertyNames,
): string {
  const fields = message.fields.map((field) => fieldEntries(field, types, propertyNames));
  const { head, margin } = tableHead(`export const ${tableName(name)}: MessageType<${name}> =`);
  const list = print(indented(margin.length / 2 + 1, ['fields: () => ', fieldList(fields), ',']));
  return (
    `${docComment([`Descriptor of \`${name}\`.`])}${head}{\n` +
    `${margin}  name: ${stringLiteral(message.fullName)},\n` +
    `${list}\n${margin}};`
  );
}

/** Returns the table of an enum and the type of its values. */
export function enumDeclaration(type: EnumModel, name: string): string {
  const table = tableName(name);
  const { head, margin } = tableHead(`export const ${table} =`);
  const values = type.values.map((value) => {
    const comment = docComment(describedLines(value.comment, value.deprecated), margin.length + 4);
    return `${comment}${margin}    ${numberEntry(literalKey(value.name), value.number, margin.length + 4)},\n`;
  });
  return (
    `${docComment([`Names and numbers of \`${name}\`.`])}${head}{\n` +
    `${margin}  name: ${stringLiteral(type.fullName)},\n` +
    `${margin}  values: {\n${values.join('')}${margin}  },\n${margin}} as const;\n\n` +
    docComment(describedLines(type.comment, type.deprecated)) +
    print([
      assignment(
        `export type ${name}`,
        bracketed('EnumValue<', [`typeof ${table}`], '>', { trailing: false }),
      ),
      ';',
    ])
  );
}

/**
 * Lays out an entry with a number. Prettier keeps a number on the line of its key, no matter how long that is, but not
 * a number with a sign.
 */
function numberEntry(key: string, number: number, indent: number): string {
  const flat = `${key}: ${number}`;
  const isBroken = number < 0 && key.length >= 5 && indent + flat.length + ','.length > prettierStyle.width;
  return isBroken ? `${key}:\n${' '.repeat(indent + 2)}${number}` : flat;
}

/** Returns the head of a table. If the head fills the line, the table moves below it, one level deeper. */
function tableHead(head: string): { head: string; margin: string } {
  return fitsLine(`${head} {`) ? { head: `${head} `, margin: '' } : { head: `${head}\n  `, margin: '  ' };
}

/** Returns the name of a well-known type's codec: `int64Value`. */
export function wellKnownCodec(type: WellKnown): string {
  return `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
}

/** Returns the entries of a field's object literal. */
function fieldEntries(field: FieldModel, types: TypeNames, propertyNames: PropertyNames): Layout[] {
  const entries: Layout[] = [entryLayout('name', stringLiteral(field.name))];
  if (field.jsonName !== field.name) entries.push(entryLayout('json', stringLiteral(field.jsonName)));
  const property = propertyNames.get(field.name) ?? field.jsonName;
  if (property !== field.jsonName) entries.push(entryLayout('property', stringLiteral(property)));
  entries.push(entryLayout('type', fieldCodec(field, types)));
  if (field.oneof !== undefined)
    entries.push(entryLayout('oneof', call('oneofOf', stringLiteral(planned(propertyNames, field.oneof)))));
  return entries;
}

function fieldCodec({ type, cardinality, mapKey }: FieldModel, types: TypeNames): Layout {
  const single = typeCodec(type, types);
  switch (cardinality) {
    case 'single':
      return single;
    case 'optional':
      return call('optional', single);
    case 'repeated':
      return call('listOf', single);
    case 'map':
      return call('mapOf', `mapKey.${mapKey ?? ''}`, single);
  }
}

function typeCodec(type: FieldType, types: TypeNames): Layout {
  switch (type.kind) {
    case 'scalar':
      return `scalar.${type.scalar}`;
    case 'wellKnown':
      return `wellKnown.${wellKnownCodec(type.wellKnown)}`;
    case 'enum':
      return call('enumOf', tableName(types.get(type.fullName) ?? ''));
    case 'message':
      return call('messageOf', tableName(types.get(type.fullName) ?? ''));
  }
}

function call(name: string, ...args: readonly Layout[]): Layout {
  return bracketed(`${name}(`, args, ')');
}

/**
 * Lays out fields as prettier does: several fields get a line each, and a single one stays on the line of the brackets
 * if it fits.
 */
function fieldList(fields: readonly Layout[][]): Layout {
  const items = fields.map((entries) => bracketed('{', entries, '}', { spaced: true }));
  return [bracketed('[', items, ']'), items.length > 1 ? breakParent : ''];
}
