import type { EnumModel, MessageModel, OneofModel } from '../../specs/messages/message-model.ts';
import { createMemory } from '../remember.ts';
import type { ClassLine } from './class-lines.ts';
import { classLines, describe } from './class-lines.ts';
import { docstring } from './docstrings.ts';
import type { EnumView } from './enum-view.ts';
import { enumView } from './enum-view.ts';
import { call, printBroken, printExpression } from './expressions.ts';
import { fieldLine } from './field-line.ts';
import { fieldSchema } from './field-schema.ts';
import { stringLiteral } from './literals.ts';
import type { PythonSdk } from './python-sdk.ts';
import type { TypeTexts } from './type-texts.ts';

/** What `messages.py` prints; every string is finished Python. */
export interface MessagesView {
  enums: EnumView[];
  messages: MessageView[];
  hasTypes: boolean;
  /** Whether a field needs a default of its own: a list or dict. */
  usesField: boolean;
}

interface MessageView {
  /** `Word(_json.Message)` */
  head: string;
  docstring: string;
  fields: ClassLine[];
  oneofs: OneofView[];
  /** List of the fields for the runtime; empty without fields. */
  schema: string;
}

/** A property that tells which field of a oneof is set. */
interface OneofView {
  /** `payment(self)` */
  head: string;
  docstring: string;
  /** `self._which("payment")` */
  which: string;
}

export function messagesView({ model, texts, declarationWords }: PythonSdk): MessagesView {
  const { messages, enums } = model.types;
  const fields = messages.flatMap((message) => message.fields);
  return {
    enums: enums.map((type) => enumViews.recall(type, declarationWords(type), () => enumView(type, texts))),
    messages: messages.map((message) =>
      messageViews.recall(message, declarationWords(message), () => messageView(message, texts)),
    ),
    hasTypes: messages.length + enums.length > 0,
    usesField: fields.some(({ cardinality }) => cardinality === 'repeated' || cardinality === 'map'),
  };
}

/** By the names that the declaration is written in. */
const enumViews = createMemory<EnumModel, EnumView>();
const messageViews = createMemory<MessageModel, MessageView>();

function messageView(message: MessageModel, texts: TypeTexts): MessageView {
  const { fullName } = message;
  const fields = message.fields.map((field) => ({
    line: fieldLine(texts.attribute(fullName, field.name), field, texts),
    symbol: field,
  }));
  const schema = message.fields.map((field) => ({ value: fieldSchema(message, field, texts) }));
  return {
    head: printExpression(
      call(texts.className(fullName), [{ value: '_json.Message' }]),
      0,
      'class '.length,
      1,
    ),
    docstring: docstring([...describe(message), `Proto message \`${fullName}\`.`], 4),
    fields: classLines(fields),
    oneofs: message.oneofs.map((oneof) => oneofView(texts.attribute(fullName, oneof.name), oneof)),
    schema: schema.length === 0 ? '' : printBroken({ open: '[', items: schema, close: ']' }, 8),
  };
}

function oneofView(attribute: string, { name, comment }: OneofModel): OneofView {
  const which = call('self._which', [{ value: stringLiteral(name) }]);
  return {
    head: printExpression(call(attribute, [{ value: 'self' }]), 4, 'def '.length, ' -> str | None:'.length),
    docstring: docstring([comment, `Name of the field of \`${name}\` that is set, if one is.`], 8),
    which: printExpression(which, 8, 'return '.length, 0),
  };
}
