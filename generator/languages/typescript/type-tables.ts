import type {
  EnumModel,
  FieldModel,
  FieldType,
  MessageModel,
  WellKnown,
} from '../../../specs/messages/message-model.ts';
import { describedLines, docComment } from './doc-comment.ts';
import type { TypeNames } from './field-types.ts';
import { bracketed } from '../../layout/bracketed.ts';
import { prettierStyle } from '../../layout/print-layout.ts';
import { planned } from '../../names/planned.ts';
import { assignment, fitsLine, print } from './layout.ts';
import { tableName } from './names.ts';
import type { PropertyNames } from './names.ts';
import { literalKey } from './property-key.ts';
import { stringLiteral } from './string-literal.ts';

/** The table that drives a message's codec, as a constant. */
export function messageTable(
  message: MessageModel,
  name: string,
  types: TypeNames,
  propertyNames: PropertyNames,
): string {
  const fields = message.fields.map((field) => fieldEntries(field, types, propertyNames));
  const { head, margin } = tableHead(`export const ${tableName(name)}: MessageType<${name}> =`);
  return (
    `${docComment([`Table of \`${name}\`.`])}${head}{
` +
    `${margin}  name: ${stringLiteral(message.fullName)},\n` +
    `${margin}  fields: ${fieldList(fields, margin)},\n${margin}};`
  );
}

/** The table of an enum and the type of its values. */
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

/** Prettier keeps a number on the line of its key, however long that is, but not a number with a sign. */
function numberEntry(key: string, number: number, indent: number): string {
  const flat = `${key}: ${number}`;
  const isBroken = number < 0 && key.length >= 5 && indent + flat.length + ','.length > prettierStyle.width;
  return isBroken ? `${key}:\n${' '.repeat(indent + 2)}${number}` : flat;
}

/** After a head that fills the line, a table moves below it, one level deeper. */
function tableHead(head: string): { head: string; margin: string } {
  return fitsLine(`${head} {`) ? { head: `${head} `, margin: '' } : { head: `${head}\n  `, margin: '  ' };
}

/** Name of a well-known type's codec: `int64Value`. */
export function wellKnownCodec(type: WellKnown): string {
  return `${type.charAt(0).toLowerCase()}${type.slice(1)}`;
}

/** A single entry of an object literal. */
type Entry = [key: string, value: string];

function fieldEntries(field: FieldModel, types: TypeNames, propertyNames: PropertyNames): Entry[] {
  const entries: Entry[] = [['name', stringLiteral(field.name)]];
  if (field.jsonName !== field.name) entries.push(['json', stringLiteral(field.jsonName)]);
  const property = propertyNames.get(field.name) ?? field.jsonName;
  if (property !== field.jsonName) entries.push(['property', stringLiteral(property)]);
  entries.push(['type', fieldCodec(field.type, types)]);
  if (field.cardinality !== 'single') entries.push(['label', stringLiteral(field.cardinality)]);
  if (field.mapKey !== undefined) entries.push(['key', stringLiteral(field.mapKey)]);
  if (field.oneof !== undefined) entries.push(['oneof', stringLiteral(planned(propertyNames, field.oneof))]);
  return entries;
}

function fieldCodec(type: FieldType, types: TypeNames): string {
  switch (type.kind) {
    case 'scalar':
      return `scalar.${type.scalar}`;
    case 'wellKnown':
      return `wellKnown.${wellKnownCodec(type.wellKnown)}`;
    case 'enum':
      return tableName(types.get(type.fullName) ?? '');
    case 'message':
      return `() => ${tableName(types.get(type.fullName) ?? '')}`;
  }
}

/** As prettier formats it: several fields get a line each, a single one stays on the line of the brackets if it fits. */
function fieldList(fields: readonly Entry[][], margin: string): string {
  const [only] = fields;
  if (only === undefined) return '[]';
  const alone = `[${flatEntries(only)}]`;
  if (fields.length === 1 && fitsLine(`${margin}  fields: ${alone},`)) return alone;
  return `[\n${fields.map((entries) => fieldLines(entries, `${margin}    `)).join('')}${margin}  ]`;
}

function fieldLines(entries: readonly Entry[], margin: string): string {
  const flat = `${margin}${flatEntries(entries)},`;
  if (fitsLine(flat)) return `${flat}\n`;
  return `${margin}{\n${entries.map((entry) => entryLines(entry, `${margin}  `)).join('')}${margin}},\n`;
}

/** Prettier breaks before a text only when its key is long enough for that to win something. */
function entryLines([key, value]: Entry, margin: string): string {
  const flat = `${margin}${key}: ${value},`;
  const [, target] = value.split('() => ');
  if (fitsLine(flat)) return `${flat}\n`;
  if (target !== undefined) return `${margin}${key}: () =>\n${margin}  ${target},\n`;
  return key.length > 4 ? `${margin}${key}:\n${margin}  ${value},\n` : `${flat}\n`;
}

function flatEntries(entries: readonly Entry[]): string {
  return `{ ${entries.map(([key, value]) => `${key}: ${value}`).join(', ')} }`;
}
