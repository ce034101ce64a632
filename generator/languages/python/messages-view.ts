import type { MessageModel, OneofModel } from '../../../specs/messages/message-model.ts';
import { printPropertyHead } from './annotated-assignment.ts';
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

/** View of `messages.py`; every string is finished Python. */
interface MessagesView {
  enums: EnumView[];
  messages: MessageView[];
  hasTypes: boolean;
  /** Whether a field needs its own default: a list or dict. */
  usesField: boolean;
  usesLiteral: boolean;
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

/** A property that returns which field of a oneof is set. */
interface OneofView {
  /** `payment(self) -> Literal["card", "cash"] | None:` */
  head: string;
  docstring: string;
  /** `self._which("card", "cash")` */
  which: string;
}

/** Returns the view with all types of the model, in its order. */
export function messagesView({ model, texts }: PythonSdk): MessagesView {
  const { messages, enums } = model.types;
  const fields = messages.flatMap((message) => message.fields);
  return {
    enums: enums.map((type) => enumView(type, texts)),
    messages: messages.map((message) => messageView(message, texts)),
    hasTypes: messages.length + enums.length > 0,
    usesLiteral: messages.some(({ oneofs }) => oneofs.length > 0),
    usesField: fields.some(({ cardinality }) => cardinality === 'repeated' || cardinality === 'map'),
  };
}

function messageView(message: MessageModel, texts: TypeTexts): MessageView {
  const { fullName } = message;
  const fields = message.fields.map((field) => ({
    line: fieldLine(texts.fieldName(fullName, field.name), field, texts),
    symbol: field,
  }));
  const schema = message.fields.map((field) => ({ value: fieldSchema(message, field, texts) }));
  return {
    head: printExpression(
      call(texts.typeName(fullName), [{ value: '_json.Message' }]),
      0,
      'class '.length,
      1,
    ),
    docstring: docstring([...describe(message), `Proto message \`${fullName}\`.`], 4),
    fields: classLines(fields),
    oneofs: message.oneofs.map((oneof) => oneofView(message, oneof, texts)),
    schema: schema.length === 0 ? '' : printBroken({ open: '[', items: schema, close: ']' }, 8),
  };
}

function oneofView(message: MessageModel, { name, comment }: OneofModel, texts: TypeTexts): OneofView {
  const items = message.fields
    .filter(({ oneof }) => oneof === name)
    .map((field) => ({ value: stringLiteral(texts.fieldName(message.fullName, field.name)) }));
  const which = call('self._which', items);
  return {
    head: printPropertyHead(texts.fieldName(message.fullName, name), [
      { open: 'Literal[', items, close: ']' },
      'None',
    ]),
    docstring: docstring([comment, `Name of the set field of \`${name}\`, if one is set.`], 8),
    which: printExpression(which, 8, 'return '.length, 0),
  };
}
