import type { FieldModel, MessageModel, OneofModel } from '../../../specs/messages/message-model.ts';
import { hasPresence } from '../../model/presence.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { summary } from './doc-comment.ts';
import type { EnumView } from './enum-view.ts';
import { enumView } from './enum-view.ts';
import { jsonImports } from './json-imports.ts';
import { stringLiteral } from './literals.ts';
import { mapKeyOf, type TypeTexts } from './type-texts.ts';

/** View of `Messages.cs`; every string is finished C#. */
interface MessagesView {
  namespace: string;
  enums: EnumView[];
  messages: MessageView[];
  /** Namespaces to import. */
  imports: string[];
}

interface MessageView {
  comment: string;
  name: string;
  /** Declarations of private fields. */
  slots: string[];
  properties: { comment: string; isObsolete: boolean; declaration: string }[];
  schema: string[];
  oneofs: { comment: string; name: string; cases: CaseView[] }[];
  /** Namespaces that its slots import. */
  imports: string[];
}

/** A field of a oneof. */
interface CaseView {
  slot: string;
  property: string;
  isObsolete: boolean;
  /** The proto name. */
  text: string;
}

/** Returns the view with all types of the model, in its order. */
export function messagesView({ model, package: names, texts }: CsharpSdk): MessagesView {
  const { messages, enums } = model.types;
  const converters = messages.length + enums.length === 0 ? [] : ['System.Text.Json.Serialization'];
  const views = messages.map((message) => messageView(message, texts));
  return {
    namespace: names.messages,
    enums: enums.map((type) => enumView(type, texts)),
    messages: views,
    imports: [...new Set([...views.flatMap(({ imports }) => imports), ...converters])].sort(),
  };
}

function messageView(message: MessageModel, texts: TypeTexts): MessageView {
  const { fullName, fields, oneofs } = message;
  const name = texts.typeName(fullName);
  const slots = fields.map((field) => {
    const initial = texts.initialOf(field);
    const value = initial === '' ? '' : ` = ${initial}`;
    return `private ${texts.ofField(field)} ${slotOf(texts.fieldName(fullName, field.name))}${value};`;
  });
  const usesMaps = slots.some((slot) => slot.includes('ReadOnlyDictionary<'));
  return {
    comment: summary([...describeSymbol(message), `The message ${fullName}.`]),
    name,
    slots,
    imports: [...(usesMaps ? ['System.Collections.ObjectModel'] : []), ...jsonImports(slots.join('\n'))],
    properties: fields.map((field) => {
      const property = texts.fieldName(fullName, field.name);
      const slot = slotOf(property);
      return {
        comment: summary(fieldParagraphs(field), 4),
        isObsolete: field.deprecated,
        declaration: `public ${texts.ofField(field)} ${property} { get => ${slot}; init => ${slot} = ${givenOf(field)}; }`,
      };
    }),
    schema: fields.map((field) => fieldSchema(message, field, texts)),
    oneofs: oneofs.map((oneof) => oneofView(message, oneof, texts)),
  };
}

function fieldParagraphs(field: FieldModel): string[] {
  const described = describeSymbol(field);
  const first = described.length === 0 ? [`The field ${field.name}.`] : described;
  return field.oneof === undefined
    ? first
    : [...first, `Case of the oneof ${field.oneof}: setting it clears the others.`];
}

/** Returns the value that a property is set to. */
function givenOf({ cardinality, oneof }: FieldModel): string {
  if (cardinality === 'repeated' || cardinality === 'map') return 'Fields.Copy(value)';
  return oneof === undefined ? 'value' : `s_type.CaseOf(this, ${stringLiteral(oneof)}, value)`;
}

/** Returns the private field of a property. */
function slotOf(property: string): string {
  return `_${property.charAt(0).toLowerCase()}${property.slice(1)}`;
}

/**
 * Returns the description of a field by which the runtime reads and writes it: `Fields.Single("text", "text",
 * ProtoJson.StringValue, static (Word m) => ref m._text)`.
 */
function fieldSchema(message: MessageModel, field: FieldModel, texts: TypeTexts): string {
  const { codec } = texts.of(field.type);
  const slot = slotOf(texts.fieldName(message.fullName, field.name));
  const args = [
    stringLiteral(field.jsonName),
    stringLiteral(field.name),
    ...(field.cardinality === 'map' ? [mapKeyOf(field).codec] : []),
    codec,
    `static (${texts.typeName(message.fullName)} m) => ref m.${slot}`,
    ...(field.oneof === undefined ? [] : [stringLiteral(field.oneof)]),
  ];
  return `Fields.${constructorOf(field, texts)}(${args.join(', ')})`;
}

function constructorOf(field: FieldModel, texts: TypeTexts): string {
  if (field.cardinality === 'repeated') return 'List';
  if (field.cardinality === 'map') return 'Map';
  if (!hasPresence(field)) return 'Single';
  return texts.of(field.type).isValueType ? 'OptionalValue' : 'Optional';
}

function oneofView(
  { fullName, fields }: MessageModel,
  oneof: OneofModel,
  texts: TypeTexts,
): MessageView['oneofs'][number] {
  const cases = fields.filter((field) => field.oneof === oneof.name);
  return {
    comment: summary(
      [oneof.comment, `Proto name of the set field of the oneof ${oneof.name}; null if none is set.`],
      4,
    ),
    name: texts.fieldName(fullName, oneof.name),
    cases: cases.map(({ name, deprecated }) => {
      const property = texts.fieldName(fullName, name);
      return { slot: slotOf(property), property, isObsolete: deprecated, text: stringLiteral(name) };
    }),
  };
}
