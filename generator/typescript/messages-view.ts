import type { SdkModel } from '../model/sdk-model.ts';
import type { EnumModel, FieldModel, MessageModel } from '../../specs/messages/message-model.ts';
import { planned } from '../names/planned.ts';
import { createMemory } from '../remember.ts';
import { importLines, importNames } from './imports.ts';
import type { TypeNames } from './field-types.ts';
import { interfaceTexts } from './interface-texts.ts';
import type { InterfaceSource } from './interface-texts.ts';
import { propertiesOf } from './names.ts';
import type { TypeScriptSdk } from './typescript-sdk.ts';
import { enumDeclaration, messageTable } from './type-tables.ts';

/** View of `src/messages.ts`: the types of all messages and enums, and the tables that drive their codecs. */
export interface MessagesView {
  imports: string[];
  declarations: string[];
  isEmpty: boolean;
}

export async function messagesView({ model, names, declarationWords }: TypeScriptSdk): Promise<MessagesView> {
  const sources = model.types.messages.map((message) => ({
    name: planned(names.types, message.fullName),
    message,
    propertyNames: propertiesOf(names, message.fullName),
  }));
  const printed = await messageTexts(sources, names.types, declarationWords);
  const declarations = [
    ...model.types.enums.map((type) => {
      const name = planned(names.types, type.fullName);
      return printedEnums.recall(type, name, () => enumDeclaration(type, name));
    }),
    ...printed.flat(),
  ];
  return { imports: imports(model), declarations, isEmpty: declarations.length === 0 };
}

/** Enums, by the names of their types. */
const printedEnums = createMemory<EnumModel, string>();

/** Interface and table of messages. */
const printedMessages = createMemory<MessageModel, string[]>();

async function messageTexts(
  sources: readonly InterfaceSource[],
  types: TypeNames,
  wordsOf: (message: MessageModel) => string,
): Promise<string[][]> {
  const texts = sources.map(({ message }) => printedMessages.get(message, wordsOf(message)));
  const unknown = sources.filter((_, index) => texts[index] === undefined);
  const interfaces = await interfaceTexts(unknown, types);
  const printed = unknown.map((source, index) => {
    const { message, name, propertyNames } = source;
    const made = [interfaces[index] ?? '', messageTable(message, name, types, propertyNames)];
    printedMessages.set(message, wordsOf(message), made);
    return made;
  });
  return texts.map((text) => text ?? printed.shift() ?? []);
}

function imports(model: SdkModel): string[] {
  const { messages, enums } = model.types;
  const fields = messages.flatMap((message) => message.fields);
  const wellKnown = new Set(
    fields.flatMap(({ type }) => (type.kind === 'wellKnown' ? [type.wellKnown] : [])),
  );
  const json = [
    ...(wellKnown.has('Struct') ? ['JsonObject'] : []),
    ...(wellKnown.has('Value') || wellKnown.has('ListValue') ? ['JsonValue'] : []),
  ];
  const tables = [...(enums.length > 0 ? ['EnumType'] : []), ...(messages.length > 0 ? ['MessageType'] : [])];
  const values = [...(fields.some(isCase) ? ['Case'] : []), ...(enums.length > 0 ? ['EnumValue'] : [])];
  return importLines(
    importNames(tables, './runtime/codec/codec.ts', 'import type'),
    importNames(json, './runtime/codec/json.ts', 'import type'),
    fields.some(({ type }) => type.kind === 'scalar') &&
      'import * as scalar from "./runtime/codec/scalars.ts";',
    importNames(values, './runtime/codec/values.ts', 'import type'),
    wellKnown.size > 0 && 'import * as wellKnown from "./runtime/codec/well-known.ts";',
    wellKnown.has('Any') && 'import type { AnyMessage } from "./runtime/codec/well-known.ts";',
  );
}

function isCase(field: FieldModel): boolean {
  return field.oneof !== undefined;
}
