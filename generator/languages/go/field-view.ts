import type { FieldModel, MessageModel } from '../../../specs/messages/message-model.ts';
import { mayBeAbsent } from '../../model/presence.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { docComment } from './doc-comment.ts';
import { quotedLiteral } from './literals.ts';
import { mapKeyOf, type TypeTexts } from './type-texts.ts';

/** A line of a struct or of a block of constants, with the comment before it. */
export interface CommentedLine {
  /** May be empty. */
  comment: string;
  line: string;
  blankBefore: boolean;
}

/** Returns the lines of `name` and `rest`: separated if one has a comment, otherwise aligned, as gofmt does. */
export function commentedLines(
  parts: readonly {
    name: string;
    rest: string;
    paragraphs: readonly string[];
  }[],
): CommentedLine[] {
  const isApart = parts.some(({ paragraphs }) => paragraphs.length > 0);
  const width = Math.max(...parts.map(({ name }) => name.length));
  return parts.map(({ name, rest, paragraphs }, index) => ({
    comment: paragraphs.length === 0 ? '' : docComment(paragraphs, 1),
    line: `${isApart ? name : name.padEnd(width)} ${rest}`,
    blankBefore: isApart && index > 0,
  }));
}

/** Returns the fields of a struct. */
export function structLines(message: MessageModel, texts: TypeTexts): CommentedLine[] {
  return commentedLines(
    message.fields.map((field) => ({
      name: texts.fieldName(message.fullName, field.name),
      rest: texts.ofField(field),
      paragraphs: [
        ...(field.oneof === undefined ? [] : [`Case of the oneof ${field.oneof}.`]),
        ...describeSymbol(field),
      ],
    })),
  );
}

/**
 * Returns the description of a field by which the runtime reads and writes it: `protojson.Single("text", "text",
 * protojson.StringCodec, func(...) ...)`.
 */
export function fieldSchema(message: MessageModel, field: FieldModel, texts: TypeTexts): string {
  const struct = texts.typeName(message.fullName);
  const { codec, itemCodec = codec } = texts.of(field.type);
  const isList = field.cardinality === 'repeated' || field.cardinality === 'map';
  const args = [
    quotedLiteral(field.jsonName),
    quotedLiteral(field.name),
    ...(field.cardinality === 'map' ? [mapKeyOf(field).codec] : []),
    isList ? itemCodec : codec,
    functionLiteral(
      `func(m *${struct}) *${texts.ofField(field)}`,
      `return &m.${texts.fieldName(message.fullName, field.name)}`,
    ),
  ];
  const schema = `protojson.${constructorOf(field, texts)}(${args.join(', ')})`;
  return field.oneof === undefined ? schema : `protojson.InOneof(${quotedLiteral(field.oneof)}, ${schema})`;
}

/** Maximum length of a function that gofmt leaves on one line (go/printer, funcBody). */
const longestFunction = 100;

function functionLiteral(head: string, statement: string): string {
  return head.length + statement.length <= longestFunction
    ? `${head} { ${statement} }`
    : `${head} {\n\t\t\t${statement}\n\t\t}`;
}

function constructorOf(field: FieldModel, texts: TypeTexts): string {
  if (field.cardinality === 'repeated') return 'Repeated';
  if (field.cardinality === 'map') return 'Map';
  if (!mayBeAbsent(field)) return 'Single';
  return texts.of(field.type).isNilable ? 'Nilable' : 'Optional';
}
