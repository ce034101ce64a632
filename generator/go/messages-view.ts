import type { EnumModel, MessageModel, OneofModel } from '../../specs/messages/message-model.ts';
import { createMemory } from '../remember.ts';
import { describe, docComment } from './doc-comment.ts';
import type { EnumView } from './enum-view.ts';
import { enumView } from './enum-view.ts';
import type { CommentedLine } from './field-view.ts';
import { fieldSchema, structLines } from './field-view.ts';
import type { GoSdk } from './go-sdk.ts';
import { quotedLiteral } from './literals.ts';
import { messageTable, type TypeTexts } from './type-texts.ts';

/** What `messages.go` prints; every string is finished Go. */
export interface MessagesView {
  packageName: string;
  modulePath: string;
  enums: EnumView[];
  messages: MessageView[];
  usesTime: boolean;
  usesSvc: boolean;
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
}

/** A method that tells which field of a oneof is set. */
interface OneofView {
  comment: string;
  method: string;
  cases: { field: string; name: string }[];
}

export function messagesView({ model, module, texts, declarationWords }: GoSdk): MessagesView {
  const { types } = model;
  const enums = types.enums.map((type) =>
    enumViews.recall(type, declarationWords(type), () => enumView(type, texts)),
  );
  const messages = types.messages.map((message) =>
    messageViews.recall(message, declarationWords(message), () => messageView(message, texts)),
  );
  return {
    packageName: module.packageName,
    modulePath: module.path,
    enums,
    messages,
    usesTime: messages.some(({ usesTime }) => usesTime),
    usesSvc: messages.length + enums.length > 0,
  };
}

/** By the names that the declaration is written in. */
const enumViews = createMemory<EnumModel, EnumView>();
const messageViews = createMemory<MessageModel, MessageView>();

function messageView(message: MessageModel, texts: TypeTexts): MessageView {
  const { fullName, comment, deprecated, fields, oneofs } = message;
  const name = texts.typeName(fullName);
  return {
    comment: docComment([`${name} is the message ${fullName}.`, ...describe({ comment, deprecated })]),
    name,
    table: messageTable(name),
    fullName: quotedLiteral(fullName),
    fields: structLines(message, texts),
    schema: fields.map((field) => fieldSchema(message, field, texts)),
    oneofs: oneofs.map((oneof) => oneofView(message, oneof, texts)),
    usesTime: fields.some((field) => /\btime\./.test(texts.ofField(field))),
  };
}

function oneofView({ fullName, fields }: MessageModel, oneof: OneofModel, texts: TypeTexts): OneofView {
  const method = texts.fieldName(fullName, oneof.name);
  const cases = fields.filter((field) => field.oneof === oneof.name);
  return {
    comment: docComment([
      `${method} gives the proto name of the field of the oneof ${oneof.name} that is set, "" when none is.`,
      oneof.comment,
    ]),
    method,
    cases: cases.map(({ name }) => ({
      field: texts.fieldName(fullName, name),
      name: quotedLiteral(name),
    })),
  };
}
