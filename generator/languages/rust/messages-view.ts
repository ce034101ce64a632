import type { FieldModel, MessageModel, OneofModel } from '../../../specs/messages/message-model.ts';
import { describe, described } from './describe.ts';
import { docComment, prose } from './doc-comment.ts';
import type { EnumView } from './enum-view.ts';
import { enumView } from './enum-view.ts';
import { printAssignment, printCase, printField, printSignature, printVariant } from './lines.ts';
import { stringLiteral } from './literals.ts';
import { bareName } from './reserved-names.ts';
import type { RustSdk } from './rust-sdk.ts';
import type { TypeTexts } from './type-texts.ts';

/** View of `messages.rs`; every string is finished Rust. */
interface MessagesView {
  enums: EnumView[];
  messages: MessageView[];
  /** Imports for the types of fields; may be empty. */
  imports: string[];
}

interface MessageView {
  name: string;
  doc: string;
  fields: Documented[];
  setters: SetterView[];
  oneofs: OneofView[];
  /** Rows of the table of the message: `"unitPrice" | "unit_price" => unit_price,`. */
  rows: string[];
}

/** A line with its documentation. */
interface Documented {
  doc: string;
  line: string;
}

interface SetterView {
  doc: string;
  signature: string;
  assignment: string;
}

/** An enum of the cases of a oneof. */
interface OneofView {
  /** Field of the message. */
  field: string;
  name: string;
  doc: string;
  cases: Documented[];
  rows: string[];
}

/** Returns the view with all types of the model, in its order. */
export function messagesView({ model, texts }: RustSdk): MessagesView {
  const { messages, enums } = model.types;
  const fields = messages.flatMap((message) => message.fields);
  const usesTypes = enums.length > 0 || fields.some(({ type }) => texts.of(type).includes('types::'));
  const crates = [
    ...(messages.length + enums.length > 0 ? ['protojson'] : []),
    ...(usesTypes ? ['types'] : []),
  ];
  const [only] = crates;
  return {
    enums: enums.map((type) => enumView(type, texts)),
    messages: messages.map((message) => messageView(message, texts)),
    imports: [
      ...(fields.some(({ cardinality }) => cardinality === 'map')
        ? ['use std::collections::BTreeMap;\n']
        : []),
      ...(only === undefined
        ? []
        : [crates.length === 1 ? `use crate::${only};` : `use crate::{${crates.join(', ')}};`]),
    ],
  };
}

function messageView(message: MessageModel, texts: TypeTexts): MessageView {
  const { fullName } = message;
  const names = readableNames(message.fields);
  const plain = message.fields.filter(({ oneof }) => oneof === undefined);
  const row = (field: FieldModel, target: string): string =>
    `${(names.get(field) ?? [field.jsonName]).map(stringLiteral).join(' | ')} => ${target},`;
  return {
    name: texts.typeName(fullName),
    doc: docComment([...describe(message), `Proto message \`${fullName}\`.`], 0),
    fields: structFields(message, texts),
    setters: message.fields.map((field) => setterView(message, field, texts)),
    oneofs: message.oneofs.map((oneof) => oneofView(message, oneof, texts, row)),
    rows: plain.map((field) => row(field, texts.fieldName(fullName, field.name))),
  };
}

/** Returns the fields of a struct. A oneof has the position of its first field. */
function structFields({ fullName, fields, oneofs }: MessageModel, texts: TypeTexts): Documented[] {
  const shown = new Set<string>();
  return fields.flatMap((field): Documented[] => {
    const { oneof } = field;
    if (oneof === undefined)
      return [
        {
          doc: docComment(described(field, `Proto field \`${field.name}\`.`), 4),
          line: printField(texts.fieldName(fullName, field.name), texts.ofField(fullName, field)),
        },
      ];
    if (shown.has(oneof)) return [];
    shown.add(oneof);
    const comment = oneofs.find(({ name }) => name === oneof)?.comment ?? '';
    return [
      {
        doc: docComment(described({ comment, deprecated: false }, `Proto oneof \`${oneof}\`.`), 4),
        line: printField(texts.fieldName(fullName, oneof), `Option<${texts.oneofName(fullName, oneof)}>`),
      },
    ];
  });
}

function setterView({ fullName }: MessageModel, field: FieldModel, texts: TypeTexts): SetterView {
  const name = texts.fieldName(fullName, field.name);
  const method = `with_${bareName(name)}`;
  if (field.oneof === undefined) {
    const { parameter, value } = texts.setter(fullName, field);
    return {
      doc: docComment([`Sets [\`${bareName(name)}\`](Self::${bareName(name)}).`], 4),
      signature: printSignature(method, ['mut self', parameter], 'Self'),
      assignment: printAssignment(`self.${name}`, value),
    };
  }
  const { parameter, value } = texts.caseSetter(field);
  const oneof = texts.fieldName(fullName, field.oneof);
  const variant = `${texts.oneofName(fullName, field.oneof)}::${texts.case(fullName, field.name)}`;
  return {
    doc: docComment(
      [`Sets [\`${bareName(oneof)}\`](Self::${bareName(oneof)}) to the field \`${field.name}\`.`],
      4,
    ),
    signature: printSignature(method, ['mut self', parameter], 'Self'),
    assignment: printCase(oneof, variant, value),
  };
}

function oneofView(
  { fullName, name: message, fields }: MessageModel,
  { name, comment }: OneofModel,
  texts: TypeTexts,
  row: (field: FieldModel, target: string) => string,
): OneofView {
  const members = fields.filter(({ oneof }) => oneof === name);
  return {
    field: texts.fieldName(fullName, name),
    name: texts.oneofName(fullName, name),
    doc: docComment(
      [...prose(comment), `Proto oneof \`${name}\` of \`${message}\`: the field that is set.`],
      0,
    ),
    cases: members.map((field) => ({
      doc: docComment(described(field, `Proto field \`${field.name}\`.`), 4),
      line: printVariant(texts.case(fullName, field.name), texts.ofCase(field)),
    })),
    rows: members.map((field) => row(field, texts.case(fullName, field.name))),
  };
}

/** Returns the names that each field is read by: its JSON name, and its proto name unless another field has it. */
function readableNames(fields: readonly FieldModel[]): ReadonlyMap<FieldModel, string[]> {
  const taken = new Set(fields.map(({ jsonName }) => jsonName));
  return new Map(
    fields.map((field) => {
      const names = [field.jsonName];
      if (!taken.has(field.name)) names.push(field.name);
      taken.add(field.name);
      return [field, names];
    }),
  );
}
