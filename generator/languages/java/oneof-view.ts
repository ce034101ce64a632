import type { FieldModel, MessageModel, OneofModel } from '../../../specs/messages/message-model.ts';
import type { FileView } from '../../language.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { docComment, docText, markup } from './doc-comment.ts';
import { importsOf } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { methodHead, statement, typeHead } from './statements.ts';
import type { TypeTexts } from './type-texts.ts';

/** The accessor of a oneof in its message; every string is finished Java. */
export interface OneofView {
  comment: string;
  head: string;
  cases: { condition: string; result: string }[];
}

/** The method of a message that returns the case of a oneof. */
export function oneofView(message: MessageModel, oneof: OneofModel, texts: TypeTexts): OneofView {
  const type = texts.oneofName(message, oneof.name);
  return {
    comment: docComment(
      {
        paragraphs: [markup(`Returns the oneof {@code ${docText(oneof.name)}}.`), oneof.comment],
        tags: [['@return', 'the field that is set, with its value; empty if none is']],
      },
      2,
    ),
    head: methodHead(`public Optional<${type}>`, texts.fieldName(message.fullName, oneof.name), [], 2),
    cases: casesOf(message, oneof).map((field) => {
      const name = texts.fieldName(message.fullName, field.name);
      const made = { callee: `new ${type}.${texts.caseName(message, oneof.name, field.name)}` };
      const value = { ...made, args: [`${name}.get()`] };
      return {
        condition: `${name}.isPresent()`,
        result: statement({ callee: 'Optional.of', args: [value] }, 6, 'return '),
      };
    }),
  };
}

/** The file of a oneof: a sealed interface, with a record for each case. */
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
