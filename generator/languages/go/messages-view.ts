import type { MessageModel, OneofModel } from '../../../specs/messages/message-model.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { docComment } from './doc-comment.ts';
import type { EnumView } from './enum-view.ts';
import { enumView } from './enum-view.ts';
import type { CommentedLine } from './field-view.ts';
import { commentedLines, fieldSchema, structLines } from './field-view.ts';
import type { GoSdk } from './go-sdk.ts';
import { quotedLiteral } from './literals.ts';
import { messageTable, type TypeTexts } from './type-texts.ts';

/** View of `messages.go`; every string is finished Go. */
interface MessagesView {
  packageName: string;
  modulePath: string;
  enums: EnumView[];
  messages: MessageView[];
  usesTime: boolean;
  usesSvc: boolean;
  usesProtojson: boolean;
}

interface MessageView {
  comment: string;
  name: string;
  /** Variable that describes the message. */
  table: string;
  fullName: string;
  fields: CommentedLine[];
  schema: string[];
  oneofs: OneofView[];
  /** Whether a field is of a type of the package `time`. */
  usesTime: boolean;
  /** Whether a field is of a type of the package `svc`. */
  usesSvc: boolean;
}

/** A method that returns which field of a oneof is set. */
interface OneofView {
  comment: string;
  method: string;
  /** Constants of the names that the method returns. */
  constants: CommentedLine[];
  cases: { field: string; constant: string }[];
}

/** Returns the view with all types of the model, in its order. */
export function messagesView({ model, module, texts }: GoSdk): MessagesView {
  const { types } = model;
  const enums = types.enums.map((type) => enumView(type, texts));
  const messages = types.messages.map((message) => messageView(message, texts));
  return {
    packageName: module.packageName,
    modulePath: module.path,
    enums,
    messages,
    usesTime: messages.some(({ usesTime }) => usesTime),
    usesSvc: messages.some(({ usesSvc }) => usesSvc),
    usesProtojson: messages.length + enums.length > 0,
  };
}

function messageView(message: MessageModel, texts: TypeTexts): MessageView {
  const { fullName, comment, deprecated, fields, oneofs } = message;
  const name = texts.typeName(fullName);
  return {
    comment: docComment([`${name} is the message ${fullName}.`, ...describeSymbol({ comment, deprecated })]),
    name,
    table: messageTable(name),
    fullName: quotedLiteral(fullName),
    fields: structLines(message, texts),
    schema: fields.map((field) => fieldSchema(message, field, texts)),
    oneofs: oneofs.map((oneof) => oneofView(message, oneof, texts)),
    usesTime: fields.some((field) => /\btime\./.test(texts.ofField(field))),
    usesSvc: fields.some((field) => /\bsvc\./.test(texts.ofField(field))),
  };
}

function oneofView({ fullName, fields }: MessageModel, oneof: OneofModel, texts: TypeTexts): OneofView {
  const method = texts.fieldName(fullName, oneof.name);
  const cases = fields
    .filter((field) => field.oneof === oneof.name)
    .map(({ name }) => ({ name, constant: texts.caseName(fullName, name) }));
  return {
    comment: docComment([
      `${method} returns the proto name of the set field of the oneof ${oneof.name}, or "" if none is set.`,
      oneof.comment,
    ]),
    method,
    constants: commentedLines(
      cases.map(({ name, constant }) => ({
        name: constant,
        rest: `= ${quotedLiteral(name)}`,
        paragraphs: [],
      })),
    ),
    cases: cases.map(({ name, constant }) => ({ field: texts.fieldName(fullName, name), constant })),
  };
}
