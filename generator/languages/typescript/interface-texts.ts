import type { MessageModel } from '../../../specs/messages/message-model.ts';
import { declareProperties } from './declare-properties.ts';
import type { DeclaredProperty, PropertySchema } from './declare-properties.ts';
import { commentLines, describedLines, docComment } from './doc-comment.ts';
import { fieldType, isAlwaysPresent, messageProperties, oneofType } from './field-types.ts';
import type { MessageProperty, TypeNames } from './field-types.ts';
import type { PropertyNames } from './names.ts';
import { fitsLine, flatType, indented, print, typeLayout } from './layout.ts';
import type { TypeText } from './layout.ts';
import { propertyKey } from './property-key.ts';

/** Source of an interface. */
interface InterfaceSource {
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
  if (sources.length === 0) return [];
  const properties = sources.map(({ message, propertyNames }) => messageProperties(message, propertyNames));
  const declared = await declareProperties(properties.flat().map((each) => propertySchema(each, types)));
  const remaining = declared.values();
  return sources.map(({ name, message }, index) => {
    const comment = docComment(describedLines(message.comment, message.deprecated));
    const lines = (properties[index] ?? []).map((property) =>
      propertyText(property, remaining.next().value, message, types),
    );
    // An interface without members would take any value, text and numbers too.
    if (lines.length === 0) return `${comment}${emptyText(name)}`;
    return `${comment}export interface ${name} {\n${lines.join('')}}`;
  });
}

function emptyText(name: string): string {
  const type: TypeText = { generic: 'Record', of: ['string', 'never'] };
  return print([`export type ${name} = `, typeLayout(type), ';']);
}

function propertySchema(property: MessageProperty, types: TypeNames): PropertySchema {
  return {
    type: flatType(propertyType(property, types)),
    isRequired: property.field !== undefined && isAlwaysPresent(property.field),
  };
}

function propertyType({ field, cases }: MessageProperty, types: TypeNames): TypeText {
  return field === undefined ? oneofType(cases, types) : fieldType(field, types);
}

/** The comment of a oneof, then those of its cases. */
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
  property: MessageProperty,
  declared: DeclaredProperty | undefined,
  message: MessageModel,
  types: TypeNames,
): string {
  if (declared === undefined) throw new Error(`${message.fullName}.${property.name} was not declared`);
  const { field } = property;
  const comment =
    field === undefined ? oneofComment(property, message) : describedLines(field.comment, field.deprecated);
  const head = `${propertyKey(property.name)}${declared.isRequired ? '' : '?'}: `;
  const flat = `  ${head}${declared.type};`;
  const text = fitsLine(flat)
    ? flat
    : print(indented(1, [head.trimEnd(), ' ', typeLayout(propertyType(property, types)), ';']));
  return `${docComment(comment, 2)}${text}\n`;
}
