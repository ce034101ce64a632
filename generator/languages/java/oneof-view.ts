import type { FieldModel, MessageModel, OneofModel } from '../../../specs/messages/message-model.ts';
import type { FileView } from '../../language.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { docComment, docText, markup } from './doc-comment.ts';
import { importsOf } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { assignment, methodHead, statement, typeHead } from './statements.ts';
import type { TypeTexts } from './type-texts.ts';

/** The accessor of a oneof in its message, and its setters in the builder; every string is finished Java. */
export interface OneofView {
  name: string;
  comment: string;
  head: string;
  cases: { condition: string; result: string }[];
  /** The statement with which both setters reject null. */
  check: string;
  /** The setter that accepts a case. */
  choose: { comment: string; head: string; cases: string[] };
  /** The setter that accepts what the accessor returns. */
  replace: { comment: string; head: string; delegate: string; clear: string[] };
}

/** Returns the methods of a message and of its builder for a oneof. */
export function oneofView(message: MessageModel, oneof: OneofModel, texts: TypeTexts): OneofView {
  const type = texts.oneofName(message, oneof.name);
  const name = texts.fieldName(message.fullName, oneof.name);
  const cases = casesOf(message, oneof).map((field) => ({
    field: texts.fieldName(message.fullName, field.name),
    record: `${type}.${texts.caseName(message, oneof.name, field.name)}`,
  }));
  const setterComment = (text: string): string =>
    docComment(
      {
        paragraphs: [markup(`Sets the oneof {@code ${docText(oneof.name)}}.`), oneof.comment],
        tags: [
          [`@param ${name}`, text],
          ['@return', 'this'],
        ],
      },
      4,
    );
  return {
    name,
    comment: docComment(
      {
        paragraphs: [markup(`Returns the oneof {@code ${docText(oneof.name)}}.`), oneof.comment],
        tags: [['@return', 'the field that is set, with its value; empty if none is']],
      },
      2,
    ),
    head: methodHead(`public Optional<${type}>`, name, [], 2),
    cases: cases.map(({ field, record }) => ({
      condition: `${field}.isPresent()`,
      result: statement(
        { callee: 'Optional.of', args: [{ callee: `new ${record}`, args: [`${field}.get()`] }] },
        6,
        'return ',
      ),
    })),
    check: statement({ callee: 'Objects.requireNonNull', args: [name, { string: name }] }, 6),
    choose: {
      comment: setterComment('the field to set, with its value'),
      head: methodHead('public Builder', name, [`${type} ${name}`], 4),
      cases: cases.map(({ field, record }) =>
        statement(
          {
            callee: 'MessageFields.choose',
            args: [
              name,
              `${record}.class`,
              { owner: record, method: 'value' },
              { owner: 'this', method: field },
            ],
          },
          6,
        ),
      ),
    },
    replace: {
      comment: setterComment('the field to set, with its value; empty for none'),
      head: methodHead('public Builder', name, [`Optional<${type}> ${name}`], 4),
      delegate: statement({ callee: name, args: [`${name}.get()`] }, 8, 'return '),
      clear: cases.map(({ field }) => assignment(`this.${field}`, 'Optional.empty()', 6)),
    },
  };
}

/** Returns the file of a oneof: a sealed interface, with a record for each case. */
export function oneofFile({ texts, place }: JavaSdk, message: MessageModel, oneof: OneofModel): FileView {
  const name = texts.oneofName(message, oneof.name);
  const fields = casesOf(message, oneof);
  const names = new Map(fields.map((field) => [field, texts.caseName(message, oneof.name, field.name)]));
  const hidden = new Set(names.values());
  const types = new Map(
    fields.map((field) => {
      const { type } = texts.of(field.type);
      return [field, hidden.has(type) ? `${place.packageName}.${type}` : type];
    }),
  );
  return {
    path: `src/main/java/${place.folder}/${name}.java`,
    template: 'Oneof.java',
    view: {
      packageName: place.packageName,
      imports: importsOf(types.values(), place.packageName),
      comment: docComment({
        paragraphs: [
          markup(
            `The oneof {@code ${docText(oneof.name)}} of {@link ${texts.typeName(message.fullName)}}. Later releases may add cases.`,
          ),
          oneof.comment,
        ],
      }),
      name,
      cases: fields.map((field) => ({
        comment: docComment(
          {
            paragraphs: [
              markup(`The field {@code ${docText(field.name)}}.`),
              ...describeSymbol({ ...field, deprecated: false }),
            ],
            tags: [['@param value', 'its value']],
          },
          2,
        ),
        head: typeHead(
          methodHead('record', names.get(field) ?? '', [`${types.get(field) ?? ''} value`], 2, ''),
          name,
          2,
          ' {}',
        ),
      })),
    },
  };
}

function casesOf(message: MessageModel, oneof: OneofModel): FieldModel[] {
  return message.fields.filter((field) => field.oneof === oneof.name);
}
