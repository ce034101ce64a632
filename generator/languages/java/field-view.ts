import type { FieldModel, MessageModel, OneofModel } from '../../../specs/messages/message-model.ts';
import { mayBeAbsent } from '../../model/presence.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { docComment, docText, markup } from './doc-comment.ts';
import { assignment, declaration, methodHead, statement } from './statements.ts';
import { lineWidth } from './layout.ts';
import { stringLiteral } from './literals.ts';
import { mapKeyOf, type TypeTexts } from './type-texts.ts';

/** A field of a message in every place of its file; every string is finished Java. */
export interface FieldView {
  name: string;
  type: string;
  deprecated: boolean;
  /** Accessor with its documentation; undefined if that of the record suffices. */
  accessor: { comment: string; head: string; isOverride: boolean } | undefined;
  /** Declaration in a class that is no record. */
  declaration: string;
  /** Statement of the record's constructor; undefined without a check. */
  check: string | undefined;
  /** Statement of the class's constructor. */
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

/** The method that returns which field of a oneof is set. */
export interface WhichView {
  comment: string;
  head: string;
  cases: { condition: string; result: string }[];
}

export function fieldView(
  message: MessageModel,
  field: FieldModel,
  texts: TypeTexts,
  isRecord: boolean,
): FieldView {
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
    accessor:
      isRecord && !field.deprecated
        ? undefined
        : {
            comment: docComment(
              {
                paragraphs: [markup(`Returns the field {@code ${docText(field.name)}}.`), ...said],
                tags: [['@return', 'its value'], ...deprecation],
              },
              2,
            ),
            head: methodHead(`public ${type}`, name, [], 2),
            isOverride: isRecord,
          },
    declaration: declaration(`private final ${type}`, name, undefined, 2),
    check: isRecord ? checkOf(field, name, '', texts) : undefined,
    take: checkOf(field, name, 'builder.', texts) ?? assignment(name, `builder.${name}`, 4),
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

/** Statement of the constructor for a reference: copies lists and maps, rejects null. */
function checkOf(field: FieldModel, name: string, from: string, texts: TypeTexts): string | undefined {
  const source = from + name;
  if (field.cardinality === 'repeated') return assignment(name, { callee: 'List.copyOf', args: [source] }, 4);
  if (field.cardinality === 'map') return assignment(name, { callee: 'Immutable.copyOf', args: [source] }, 4);
  if (!mayBeAbsent(field) && texts.isPrimitive(field)) return undefined;
  const refusal = { callee: 'Objects.requireNonNull', args: [source, { string: name }] };
  return from === '' ? statement(refusal, 4) : assignment(name, refusal, 4);
}

/** The field as the runtime reads and writes it: `fields.single("text", "text", Codecs.STRING, Word::text, Builder::text);` */
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

export function whichView(message: MessageModel, oneof: OneofModel, texts: TypeTexts): WhichView {
  const cases = message.fields.filter((field) => field.oneof === oneof.name);
  return {
    comment: docComment(
      {
        paragraphs: [
          markup(`Returns which field of the oneof {@code ${docText(oneof.name)}} is set.`),
          oneof.comment,
        ],
        tags: [['@return', 'its proto name; empty if none is set']],
      },
      2,
    ),
    head: methodHead('public Optional<String>', texts.fieldName(message.fullName, oneof.name), [], 2),
    cases: cases.map(({ name }) => ({
      condition: `${texts.fieldName(message.fullName, name)}.isPresent()`,
      result: caseResult(stringLiteral(name)),
    })),
  };
}

/** The expression after `return `, six columns deep. */
function caseResult(literal: string): string {
  const flat = `Optional.of(${literal})`;
  return '      return ;'.length + flat.length <= lineWidth ? flat : `Optional.of(\n          ${literal})`;
}
