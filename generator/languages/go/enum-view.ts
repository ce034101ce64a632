import type { EnumModel } from '../../../specs/messages/message-model.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { docComment } from './doc-comment.ts';
import type { CommentedLine } from './field-view.ts';
import { commentedLines } from './field-view.ts';
import { quotedLiteral } from './literals.ts';
import { enumTable, type TypeTexts } from './type-texts.ts';

/** An enum: a string type, its constants and its table. */
export interface EnumView {
  comment: string;
  name: string;
  constants: CommentedLine[];
  /** Variable that describes the enum. */
  table: string;
  fullName: string;
  values: { name: string; number: number }[];
}

/** Returns the view of an enum. The constant of an alias refers to the first constant with its number. */
export function enumView(type: EnumModel, texts: TypeTexts): EnumView {
  const { fullName, comment, deprecated, values } = type;
  const name = texts.typeName(fullName);
  // The first name of a number is written; the others are names for the same constant.
  const written = new Map<number, string>();
  const initial = (values.find(({ number }) => number === 0) ?? values[0])?.number;
  const constants = values.map((value) => {
    const constant = texts.valueName(fullName, value.name);
    const before = written.get(value.number);
    if (before === undefined) written.set(value.number, constant);
    return {
      name: constant,
      rest: `${name} = ${before ?? (value.number === initial ? '""' : quotedLiteral(value.name))}`,
      paragraphs: describeSymbol(value),
    };
  });
  return {
    comment: docComment([
      `${name} is the enum ${fullName}. The zero value is its default. A value that this release does not know survives a round trip.`,
      ...describeSymbol({ comment, deprecated }),
    ]),
    name,
    constants: commentedLines(constants),
    table: enumTable(name),
    fullName: quotedLiteral(fullName),
    values: values.map((value) => ({ name: quotedLiteral(value.name), number: value.number })),
  };
}
