import type { FieldModel, MessageModel } from '../../../specs/messages/message-model.ts';
import { mayBeAbsent } from '../../model/presence.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { docComment, docText, markup } from './doc-comment.ts';
import type { Expression } from './layout.ts';
import { assignment, declaration, methodHead, statement } from './statements.ts';
import { mapKeyOf, type TypeTexts } from './type-texts.ts';

/** A field of a message, for every place where it occurs in its file. Every string is finished Java. */
export interface FieldView {
  name: string;
  type: string;
  deprecated: boolean;
  accessor: { comment: string; head: string };
  declaration: string;
  /** Statement of the constructor. */
  take: string;
  /** Statement that describes it to the codec. */
  schema: string;
  /** Declaration in the builder. */
  initial: string;
  /** Statement of `toBuilder`. */
  copy: string;
  setters: SetterView[];
}

/** A method of a builder. */
interface SetterView {
  comment: string;
  head: string;
  /** Its statements, except for the last one. */
  body: string[];
}

/** Returns the view of a field of `message`. Each text is laid out for its place in the file. */
export function fieldView(message: MessageModel, field: FieldModel, texts: TypeTexts): FieldView {
  const name = texts.fieldName(message.fullName, field.name);
  const type = texts.ofField(field);
  const deprecation: [string, string][] = field.deprecated
    ? [['@deprecated', 'the proto marks it as such']]
    : [];
  const said = describeSymbol({ ...field, deprecated: false });
  return {
    name,
    type,
    deprecated: field.deprecated,
    accessor: {
      comment: docComment(
        {
          paragraphs: [markup(`Returns the field {@code ${docText(field.name)}}.`), ...said],
          tags: [['@return', 'its value'], ...deprecation],
        },
        2,
      ),
      head: methodHead(`public ${type}`, name, [], 2),
    },
    declaration: declaration(`private final ${type}`, name, undefined, 2),
    take: assignment(name, `builder.${name}`, 4),
    schema: schemaOf(message, field, name, texts),
    initial: declaration(`private ${type}`, name, texts.initialOf(field), 4),
    copy: assignment(`builder.${name}`, name, 4),
    setters: settersOf(message, field, name, texts).map(({ parameter, text, body }) => ({
      comment: docComment(
        {
          paragraphs: [markup(`Sets the field {@code ${docText(field.name)}}.`), ...said],
          tags: [[`@param ${name}`, text], ['@return', 'this'], ...deprecation],
        },
        4,
      ),
      head: methodHead('public Builder', name, [`${parameter} ${name}`], 4),
      body,
    })),
  };
}

function schemaOf(message: MessageModel, field: FieldModel, name: string, texts: TypeTexts): string {
  const args = [
    ...(field.oneof === undefined ? [] : [{ string: field.oneof }]),
    { string: field.jsonName },
    { string: field.name },
    ...(field.cardinality === 'map' ? [mapKeyOf(field).codec] : []),
    texts.of(field.type).codec,
    { owner: texts.typeName(message.fullName), method: name },
    { owner: 'Builder', method: name },
  ];
  return statement({ callee: `fields.${kindOf(field)}`, args }, 4);
}

function kindOf(field: FieldModel): string {
  if (field.cardinality === 'repeated') return 'repeated';
  if (field.cardinality === 'map') return 'map';
  if (field.oneof !== undefined) return 'choice';
  return mayBeAbsent(field) ? 'optional' : 'single';
}

/** A setter before it is printed. */
interface Setter {
  /** Type of its parameter. */
  parameter: string;
  /** Describes the parameter. */
  text: string;
  body: string[];
}

/**
 * Returns the setters of a field, which reject null at once and copy lists and maps. One accepts the value. A field
 * with presence has a second setter for what the getter returns, unless the field is a case of a oneof.
 */
function settersOf(message: MessageModel, field: FieldModel, name: string, texts: TypeTexts): Setter[] {
  const isPlural = field.cardinality === 'repeated' || field.cardinality === 'map';
  const given = {
    callee: isPlural ? 'Immutable.copyOf' : 'Objects.requireNonNull',
    args: [name, { string: name }],
  };
  const value = texts.isPrimitive(field) ? name : given;
  const set = (expression: Expression): string => assignment(`this.${name}`, expression, 6);
  const parameter = texts.ofSetter(field);
  if (!mayBeAbsent(field)) return [{ parameter, text: 'the value', body: [set(value)] }];
  const present = { callee: 'Optional.of', args: [value] };
  const setter = {
    parameter,
    text: 'the value',
    body: [set(present), ...clearOthers(message, field, texts)],
  };
  if (field.oneof !== undefined) return [setter];
  return [setter, { parameter: texts.ofField(field), text: 'the value, empty for none', body: [set(given)] }];
}

/** Statements that clear the other fields of a oneof. */
function clearOthers(message: MessageModel, field: FieldModel, texts: TypeTexts): string[] {
  if (field.oneof === undefined) return [];
  return message.fields
    .filter((each) => each.oneof === field.oneof && each !== field)
    .map((each) => assignment(`this.${texts.fieldName(message.fullName, each.name)}`, 'Optional.empty()', 6));
}
