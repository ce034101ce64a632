import type { FieldModel, MessageModel } from '../../../specs/messages/message-model.ts';
import { mayBeAbsent } from '../../model/presence.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { docComment, docText, markup } from './doc-comment.ts';
import { assignment, declaration, methodHead, statement } from './statements.ts';
import { mapKeyOf, type TypeTexts } from './type-texts.ts';

/** A field of a message in every place of its file; every string is finished Java. */
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
  setterComment: string;
  setterHead: string;
  setterBody: string[];
}

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
    take: takeOf(field, name, texts),
    schema: schemaOf(message, field, name, texts),
    initial: declaration(`private ${type}`, name, texts.initialOf(field), 4),
    copy: assignment(`builder.${name}`, name, 4),
    setterComment: docComment(
      {
        paragraphs: [markup(`Sets the field {@code ${docText(field.name)}}.`), ...said],
        tags: [[`@param ${name}`, setterText(field, texts)], ['@return', 'this'], ...deprecation],
      },
      4,
    ),
    setterHead: methodHead('public Builder', name, [`${texts.ofSetter(field)} ${name}`], 4),
    setterBody: setterBody(message, field, name, texts),
  };
}

function setterText(field: FieldModel, texts: TypeTexts): string {
  if (!mayBeAbsent(field)) return 'the value';
  return texts.isPrimitive(field) ? 'the value' : 'the value, or null for none';
}

/** Statement of the constructor: copies lists and maps, rejects null. */
function takeOf(field: FieldModel, name: string, texts: TypeTexts): string {
  const source = `builder.${name}`;
  if (field.cardinality === 'repeated') return assignment(name, { callee: 'List.copyOf', args: [source] }, 4);
  if (field.cardinality === 'map') return assignment(name, { callee: 'Immutable.copyOf', args: [source] }, 4);
  if (mayBeAbsent(field) || texts.isPrimitive(field)) return assignment(name, source, 4);
  return assignment(name, { callee: 'Objects.requireNonNull', args: [source, { string: name }] }, 4);
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

function setterBody(message: MessageModel, field: FieldModel, name: string, texts: TypeTexts): string[] {
  const others =
    field.oneof === undefined
      ? []
      : message.fields.filter((each) => each.oneof === field.oneof && each !== field);
  const clear = others.map((each) =>
    assignment(`this.${texts.fieldName(message.fullName, each.name)}`, 'Optional.empty()', 6),
  );
  const wrap = texts.isPrimitive(field) ? 'Optional.of' : 'Optional.ofNullable';
  const value = mayBeAbsent(field) ? { callee: wrap, args: [name] } : name;
  return [...clear, assignment(`this.${name}`, value, 6)];
}
