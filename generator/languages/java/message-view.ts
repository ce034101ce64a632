import type { FieldModel, MessageModel } from '../../../specs/messages/message-model.ts';
import type { FileView } from '../../language.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { docComment, docText, markup } from './doc-comment.ts';
import { fieldView, whichView, type FieldView, type WhichView } from './field-view.ts';
import { fullNames, typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { assignment, methodHead, statement } from './statements.ts';
import type { TypeTexts } from './type-texts.ts';

/** View of the file of a message; every string is finished Java. */
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
  const { texts, place } = sdk;
  const view = messageView(message, texts);
  const imports = fullNames(view.types, place.packageName);
  return {
    path: `src/main/java/${place.folder}/${view.name}.java`,
    template: 'Message.java',
    view: { packageName: place.packageName, imports, message: view },
  };
}

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
  const paragraphs = [markup(`The message {@code ${fullName}}.`), ...describeSymbol(message)];
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
            'Copies lists and maps, and rejects null. New releases may add fields, so prefer the {@link #builder}.',
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

/** Describes a field. */
function fieldText(field: FieldModel): string {
  const oneof = field.oneof === undefined ? '' : `case of the oneof ${field.oneof}`;
  const said = [oneof, ...describeSymbol(field)].filter((text) => text !== '').join('. ');
  return said === '' ? markup(`the field {@code ${docText(field.name)}}`) : said;
}

function slotsOf({ fields }: MessageModel, texts: TypeTexts): number {
  return fields.reduce((sum, field) => sum + (/^(long|double)$/.test(texts.ofField(field)) ? 2 : 1), 0);
}
