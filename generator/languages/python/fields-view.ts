import type { EnumModel, FieldModel, MessageModel } from '../../../specs/messages/message-model.ts';
import { hasPresence } from '../../model/presence.ts';
import { annotationItem, annotationParts, printDeclaration } from './annotated-assignment.ts';
import type { Expression, Item } from './expressions.ts';
import { printAssigned } from './expressions.ts';
import { stringLiteral } from './literals.ts';
import type { PythonSdk } from './python-sdk.ts';
import { callOptions } from './reserved-names.ts';
import type { TypeTexts } from './type-texts.ts';
import { lineWidth } from './line-width.ts';

/** View of `_fields.py`: the keyword arguments of calls, a class for each message that a call takes. */
interface FieldsView {
  /** Types for the value names of enums in fields: `StateName = Literal["OPEN", "CLOSED"]`. */
  enums: string[];
  inputs: FieldsOfInput[];
  usesMessages: boolean;
  usesRuntime: boolean;
  /** Classes of the module `datetime` that are used. */
  times: string[];
  /** Import of `Mapping` and `Sequence`, if used. */
  collections: string;
  /** Whether any of these is used. */
  usesStandard: boolean;
}

interface FieldsOfInput {
  /** `WordFields(CallOptions, total=False)` */
  head: string;
  /** Name of the message. */
  message: string;
  /** Declarations: `text: str`. */
  lines: string[];
}

/** Returns the name of the class with the fields of a message. */
export function fieldsName(typeName: string): string {
  return `${typeName}Fields`;
}

/**
 * Returns the classes for the inputs of members. They omit fields with the name of a call option, which only a message
 * object can set.
 */
export function fieldsView({ model, texts }: PythonSdk): FieldsView {
  const taken = new Set(model.members.map(({ input }) => input));
  const messages = model.types.messages.filter(({ fullName }) => taken.has(fullName));
  const inputs = messages.map((message) => fieldsOf(message, texts));
  const used = new Set(
    messages.flatMap(({ fields }) => fields.map(({ type }) => (type.kind === 'enum' ? type.fullName : ''))),
  );
  const enums = model.types.enums
    .filter(({ fullName }) => used.has(fullName))
    .map((type) => namesOf(type, texts));
  const text = inputs.flatMap(({ lines }) => lines).join('\n');
  const collections = ['Mapping', 'Sequence'].filter((name) => text.includes(`${name}[`)).join(', ');
  const times = ['datetime', 'timedelta'].filter((name) => text.includes(` _${name}`));
  return {
    enums,
    inputs,
    collections,
    times,
    usesStandard: collections !== '' || times.length > 0 || enums.length > 0,
    usesMessages: text.includes('_messages.'),
    usesRuntime: text.includes('_json.'),
  };
}

/** Returns the name of the type for the value names of an enum. No fields class has the same ending. */
function enumNamesName(fullName: string, texts: TypeTexts): string {
  return `${texts.typeName(fullName)}Name`;
}

function namesOf({ fullName, values }: EnumModel, texts: TypeTexts): string {
  const items = values.map(({ name }) => ({ value: stringLiteral(name) }));
  return printAssigned(enumNamesName(fullName, texts), { open: 'Literal[', items, close: ']' }, 0);
}

function fieldsOf(message: MessageModel, texts: TypeTexts): FieldsOfInput {
  const name = texts.typeName(message.fullName);
  const head = `${fieldsName(name)}(CallOptions, total=False)`;
  const fields = message.fields
    .map((field) => ({ attribute: texts.fieldName(message.fullName, field.name), field }))
    .filter(({ attribute }) => !callOptions.has(attribute));
  return {
    head:
      `class ${head}:`.length <= lineWidth ? head : `${fieldsName(name)}(\n    CallOptions, total=False\n)`,
    message: name,
    lines: fields.map(({ attribute, field }) =>
      printDeclaration({ name: attribute, annotation: accepted(field, texts) }),
    ),
  };
}

/**
 * Returns the type that a call accepts for a field. It is wider than the message's field type, which also applies to
 * responses.
 */
function accepted(field: FieldModel, texts: TypeTexts): Expression[] {
  const type = acceptedType(field, texts);
  const item = annotationItem(type);
  if (field.cardinality === 'repeated') return [{ open: 'Sequence[', items: [{ value: item }], close: ']' }];
  if (field.cardinality === 'map') {
    const key = texts.of({ kind: 'scalar', scalar: field.mapKey ?? 'string' }).annotation;
    const items: Item[] = [{ value: key }, { value: item }];
    return [{ open: 'Mapping[', items, close: ']' }];
  }
  const parts = annotationParts(type);
  if (field.type.kind === 'wellKnown' && field.type.wellKnown === 'Value') return [...parts, '_json.Unset'];
  return hasPresence(field) ? [...parts, 'None'] : parts;
}

function acceptedType({ type }: FieldModel, texts: TypeTexts): string {
  const { annotation } = texts.of(type, '_messages.');
  if (type.kind === 'enum') return `${annotation} | ${enumNamesName(type.fullName, texts)}`;
  if (type.kind !== 'wellKnown') return annotation;
  if (type.wellKnown === 'Timestamp') return `${annotation} | _datetime`;
  return type.wellKnown === 'Duration' ? `${annotation} | _timedelta` : annotation;
}
