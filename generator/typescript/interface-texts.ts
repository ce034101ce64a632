import type { MessageModel } from '../../specs/messages/message-model.ts';
import { declareInterfaces } from './declare-interfaces.ts';
import type { DeclaredProperty, InterfaceSchema, PropertySchema } from './declare-interfaces.ts';
import { commentLines, describedLines, docComment } from './doc-comment.ts';
import { fieldType, isAlwaysPresent, messageProperties, oneofType } from './field-types.ts';
import type { MessageProperty, TypeNames } from './field-types.ts';
import type { PropertyNames } from './names.ts';
import { fitsLine, flatType, indented, print, typeLayout } from './layout.ts';
import type { TypeText } from './layout.ts';
import { propertyKey } from './property-key.ts';

/** What an interface is printed from. */
export interface InterfaceSource {
  /** Final name of the type. */
  name: string;
  message: MessageModel;
  propertyNames: PropertyNames;
}

/** The declaration of each message's type, in the order of the sources, laid out as prettier would. */
export async function interfaceTexts(
  sources: readonly InterfaceSource[],
  types: TypeNames,
): Promise<string[]> {
  const properties = sources.map(({ message, propertyNames }) => messageProperties(message, propertyNames));
  const declared = await declareInterfaces(
    sources.map(({ message }, index): InterfaceSchema => ({
      comment: describedLines(message.comment, message.deprecated),
      properties: (properties[index] ?? []).map((property) => propertySchema(property, message, types)),
    })),
  );
  return declared.map(({ comment, properties: lines }, index) => {
    const { name = '' } = sources[index] ?? {};
    // An interface without members would take any value, text and numbers too.
    if (lines.length === 0) return `${docComment(comment)}export type ${name} = Record<string, never>;`;
    const body = lines.map((line, position) => propertyText(line, properties[index]?.[position], types));
    return `${docComment(comment)}export interface ${name} {\n${body.join('')}}`;
  });
}

function propertySchema(property: MessageProperty, message: MessageModel, types: TypeNames): PropertySchema {
  return {
    type: flatType(propertyType(property, types)),
    isRequired: property.field !== undefined && isAlwaysPresent(property.field),
    comment:
      property.field === undefined
        ? oneofComment(property, message)
        : describedLines(property.field.comment, property.field.deprecated),
  };
}

function propertyType({ field, cases }: MessageProperty, types: TypeNames): TypeText {
  return field === undefined ? oneofType(cases, types) : fieldType(field, types);
}

/** A oneof's own comment, then what is said of its cases. */
function oneofComment({ oneof, cases }: MessageProperty, message: MessageModel): string[] {
  const own = commentLines(message.oneofs.find(({ name }) => name === oneof)?.comment ?? '');
  const ofCases = cases.flatMap(({ jsonName, comment, deprecated }) => {
    const [first, ...rest] = commentLines(deprecated ? `Deprecated. ${comment}` : comment);
    if (first === undefined) return [];
    const [label = ''] = commentLines(jsonName);
    return [`- \`${label}\`: ${first}`, ...rest.map((line) => (line === '' ? '' : `  ${line}`))];
  });
  return own.length > 0 && ofCases.length > 0 ? [...own, '', ...ofCases] : [...own, ...ofCases];
}

function propertyText(
  declared: DeclaredProperty,
  property: MessageProperty | undefined,
  types: TypeNames,
): string {
  if (property === undefined) throw new Error('more properties were declared than a message has');
  const key = `${propertyKey(property.name)}${declared.isRequired ? '' : '?'}: `;
  const flat = `  ${key}${declared.type};`;
  const text = fitsLine(flat)
    ? flat
    : print(indented(1, [key.trimEnd(), ' ', typeLayout(propertyType(property, types)), ';']));
  return `${docComment(declared.comment, 2)}${text}\n`;
}
