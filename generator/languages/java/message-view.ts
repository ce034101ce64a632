import type { MessageModel } from '../../../specs/messages/message-model.ts';
import type { FileView } from '../../language.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { docComment, markup } from './doc-comment.ts';
import { fieldView, type FieldView } from './field-view.ts';
import { fullNames, typesIn } from './imports.ts';
import type { JavaSdk } from './java-sdk.ts';
import { oneofView, type OneofView } from './oneof-view.ts';
import { assignment, equality, methodHead } from './statements.ts';
import type { TypeTexts } from './type-texts.ts';

/** View of the file of a message; every string is finished Java. */
interface MessageView {
  /** Simple names of the types that it imports. */
  types: ReadonlySet<string>;
  comment: string;
  name: string;
  codec: string;
  fields: FieldView[];
  oneofs: OneofView[];
  /** Heads of the methods `fromJson` and `fromStrictJson`. */
  fromJsonHead: string;
  fromStrictJsonHead: string;
  equality: string;
  describeHead: string;
  builderComment: string;
}

/** Returns the file of a message: a class and its builder. */
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
  const fields = message.fields.map((field) => fieldView(message, field, texts));
  const oneofs = message.oneofs.map((oneof) => oneofView(message, oneof, texts));
  const codec = assignment(
    `static final Codec<${name}> CODEC`,
    {
      callee: 'Codec.message',
      args: [{ string: fullName }, 'Builder::new', 'Builder::build', { owner: name, method: 'describe' }],
    },
    2,
  );
  const code = [
    'MessageFields InvalidMessageException',
    codec,
    ...fields.flatMap(({ type, take, schema, initial, setters }) => [
      type,
      take,
      schema,
      initial,
      ...setters.flatMap(({ body }) => body),
    ]),
    ...(oneofs.length > 0 ? ['Objects Optional'] : []),
  ];
  const paragraphs = [markup(`The message {@code ${fullName}}.`), ...describeSymbol(message)];
  return {
    types: typesIn(code),
    comment: docComment({ paragraphs }),
    name,
    codec,
    fields,
    oneofs,
    fromJsonHead: methodHead(`public static ${name}`, 'fromJson', ['String json'], 2),
    fromStrictJsonHead: methodHead(`public static ${name}`, 'fromStrictJson', ['String json'], 2),
    equality: equality(name, 'CODEC.equal(this, that)', 4),
    describeHead: methodHead(
      'private static void',
      'describe',
      [`MessageFields<${name}, Builder> fields`],
      2,
      fields.length === 0 ? ' {}' : ' {',
    ),
    builderComment: docComment({ paragraphs: [markup(`Builds {@link ${name}} messages.`)] }, 2),
  };
}
