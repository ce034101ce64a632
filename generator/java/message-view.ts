import type { FieldModel, MessageModel } from '../../specs/messages/message-model.ts';
import type { FileView } from '../language.ts';
import { createMemory } from '../remember.ts';
import { describe, docComment, docText, markup } from './doc-comment.ts';
import { fieldView, whichView, type FieldView, type WhichView } from './field-view.ts';
import { fullNames, typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { assignment, methodHead, statement } from './statements.ts';
import type { TypeTexts } from './type-texts.ts';

/** What the file of a message prints in whatever package it stands; every string is finished Java. */
interface MessageView {
  /** Simple names of the types that it imports. */
  types: ReadonlySet<string>;
  comment: string;
  name: string;
  /** Set for a record; a message with more fields than a constructor takes is a class. */
  record: RecordView | undefined;
  codec: string;
  fields: FieldView[];
  oneofs: WhichView[];
  /** Head of the method `fromJson`. */
  fromJsonHead: string;
  describeHead: string;
  builderComment: string;
}

interface RecordView {
  head: string;
  constructorComment: string;
  checks: string[];
  /** `return new Word(text, count);` */
  construction: string;
}

/** Arguments that a constructor takes (JVMS 4.3.3); a long or double counts twice, and `this` once. */
const mostSlots = 254;

/** A file: a record and its builder. */
export function messageFile(sdk: JavaSdk, message: MessageModel): FileView {
  const words = sdk.declarationWords(message);
  return files.recall(message, `${sdk.place.packageName} ${words}`, () => {
    const { texts, place } = sdk;
    const view = views.recall(message, words, () => messageView(message, texts));
    const imports = fullNames(view.types, place.packageName);
    return {
      path: `src/main/java/${place.folder}/${view.name}.java`,
      template: 'Message.java',
      view: { packageName: place.packageName, imports, message: view },
    };
  });
}

/** By the names that the declaration is written in. */
const views = createMemory<MessageModel, MessageView>();

/** By the package as well. */
const files = createMemory<MessageModel, FileView>();

function messageView(message: MessageModel, texts: TypeTexts): MessageView {
  const { fullName } = message;
  const name = texts.typeName(fullName);
  const isRecord = slotsOf(message, texts) <= mostSlots;
  const fields = message.fields.map((field) => fieldView(message, field, texts, isRecord));
  const oneofs = message.oneofs.map((oneof) => whichView(message, oneof, texts));
  const codec = assignment(
    `static final Codec<${name}> CODEC`,
    {
      callee: 'Codec.message',
      args: [{ string: fullName }, 'Builder::new', 'Builder::build', { owner: name, method: 'describe' }],
    },
    2,
  );
  const checks = fields.flatMap(({ check }) => (check === undefined ? [] : [check]));
  const code = [
    'MessageFields InvalidMessageException',
    codec,
    ...(isRecord ? checks : fields.map(({ take }) => take)),
    ...fields.flatMap(({ type, schema, initial, setterBody }) => [type, schema, initial, ...setterBody]),
    ...(oneofs.length > 0 ? ['Optional'] : []),
  ];
  const paragraphs = [markup(`The message {@code ${fullName}}.`), ...describe(message)];
  return {
    types: typesIn(code),
    comment: docComment({ paragraphs, tags: isRecord ? componentTags(message, texts) : [] }),
    name,
    record: isRecord ? recordView(message, name, fields, checks, texts) : undefined,
    codec,
    fields,
    oneofs,
    fromJsonHead: methodHead(`public static ${name}`, 'fromJson', ['String json'], 2),
    describeHead: methodHead(
      'private static void',
      'describe',
      [`MessageFields<${name}, Builder> fields`],
      2,
      fields.length === 0 ? ' {}' : ' {',
    ),
    builderComment: docComment({ paragraphs: [markup(`Collects the fields of a {@link ${name}}.`)] }, 2),
  };
}

function recordView(
  message: MessageModel,
  name: string,
  fields: readonly FieldView[],
  checks: string[],
  texts: TypeTexts,
): RecordView {
  const components = fields.map((field) => `${field.type} ${field.name}`);
  return {
    head: methodHead('public record', name, components, 0),
    constructorComment: docComment(
      {
        paragraphs: [
          markup(
            'Copies lists and maps, and refuses null. New fields come with new releases: rather take the {@link #builder}.',
          ),
        ],
        tags: componentTags(message, texts, (field) => markup(`{@link #${field}}`)),
      },
      2,
    ),
    checks,
    construction: statement({ callee: `new ${name}`, args: fields.map((field) => field.name) }, 6, 'return '),
  };
}

function componentTags(
  message: MessageModel,
  texts: TypeTexts,
  say?: (name: string) => string,
): [string, string][] {
  return message.fields.map((field) => {
    const name = texts.fieldName(message.fullName, field.name);
    return [`@param ${name}`, say?.(name) ?? fieldText(field)];
  });
}

/** What a field is, in a sentence or more. */
export function fieldText(field: FieldModel): string {
  const oneof = field.oneof === undefined ? '' : `case of the oneof ${field.oneof}`;
  const said = [oneof, ...describe(field)].filter((text) => text !== '').join('. ');
  return said === '' ? markup(`the field {@code ${docText(field.name)}}`) : said;
}

function slotsOf({ fields }: MessageModel, texts: TypeTexts): number {
  return fields.reduce((sum, field) => sum + (/^(long|double)$/.test(texts.ofField(field)) ? 2 : 1), 0);
}
