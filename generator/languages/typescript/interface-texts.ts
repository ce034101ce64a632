import type { MessageModel } from '../../../specs/messages/message-model.ts';
import { declareProperties } from './declare-properties.ts';
import type { DeclaredProperty, PropertySchema } from './declare-properties.ts';
import { commentLines, describedLines, docComment } from './doc-comment.ts';
import { fieldType, isAlwaysPresent, messageProperties, oneofType, sdkForms } from './field-types.ts';
import type { MessageProperty, TypeNames } from './field-types.ts';
import type { PropertyNames } from './names.ts';
import { assignment, fitsLine, flatType, indented, print, typeLayout } from './layout.ts';
import type { TypeText } from './layout.ts';
import { propertyKey } from './property-key.ts';

/** Source of an interface. */
interface InterfaceSource {
  /** Final name of the type. */
  name: string;
  message: MessageModel;
  propertyNames: PropertyNames;
}

/**
 * Returns the declaration of each message's type, in the order of the sources, laid out as prettier would.
 *
 * @param declare what declares the properties of all messages
 */
export async function interfaceTexts(
  sources: readonly InterfaceSource[],
  types: TypeNames,
  { forms = sdkForms, declare = declareProperties } = {},
): Promise<string[]> {
  if (sources.length === 0) return [];
  const properties = sources.map(({ message, propertyNames }) => typedProperties(message, propertyNames));
  const declared = await declare(properties.flat());
  const remaining = declared.values();
  return sources.map(({ name, message }, index) => {
    const comment = docComment(describedLines(message.comment, message.deprecated));
    const lines = (properties[index] ?? []).map((property) =>
      propertyText(property, remaining.next().value, message),
    );
    // An interface without members would accept any value, even strings and numbers.
    if (lines.length === 0) return `${comment}${emptyText(name)}`;
    return `${comment}export interface ${name} {\n${lines.join('')}}`;
  });

  function typedProperties(message: MessageModel, propertyNames: PropertyNames): TypedProperty[] {
    return messageProperties(message, propertyNames).map((property) => typed(property, message));
  }

  function typed(property: MessageProperty, message: MessageModel): TypedProperty {
    const { field, cases } = property;
    const text =
      field === undefined ? oneofType(message, cases, types, forms) : fieldType(field, types, forms);
    const isRequired = field === undefined ? forms.noCase !== undefined : isAlwaysPresent(field);
    return { property, text, type: flatType(text), isRequired };
  }
}

/** A property with its type, laid out and flat. */
interface TypedProperty extends PropertySchema {
  property: MessageProperty;
  text: TypeText;
}

function emptyText(name: string): string {
  const type: TypeText = { generic: 'Record', of: ['string', 'never'] };
  return print([assignment(`export type ${name}`, typeLayout(type)), ';']);
}

/** Returns the comment of a oneof, followed by the comments of its cases. */
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
  { property, text: type }: TypedProperty,
  declared: DeclaredProperty | undefined,
  message: MessageModel,
): string {
  if (declared === undefined) throw new Error(`${message.fullName}.${property.name} was not declared`);
  const { field } = property;
  const comment =
    field === undefined ? oneofComment(property, message) : describedLines(field.comment, field.deprecated);
  const head = `${propertyKey(property.name)}${declared.isRequired ? '' : '?'}: `;
  const flat = `  ${head}${declared.type};`;
  const text = fitsLine(flat) ? flat : print(indented(1, [head.trimEnd(), ' ', typeLayout(type), ';']));
  return `${docComment(comment, 2)}${text}\n`;
}
