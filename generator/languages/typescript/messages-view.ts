import type { SdkModel } from '../../model/sdk-model.ts';
import type { FieldModel } from '../../../specs/messages/message-model.ts';
import { planned } from '../../names/planned.ts';
import { importLines, importNames } from './imports.ts';
import { interfaceTexts } from './interface-texts.ts';
import { propertiesOf } from './names.ts';
import type { TypeScriptSdk } from './typescript-sdk.ts';
import { enumDeclaration, messageTable } from './type-tables.ts';

/** View of `src/messages.ts`: the types of all messages and enums, and the tables that drive their codecs. */
interface MessagesView {
  imports: string[];
  declarations: string[];
  isEmpty: boolean;
}

/** Returns the view with all types of the model: first the enums, then each message with its table. */
export async function messagesView({ model, names }: TypeScriptSdk): Promise<MessagesView> {
  const sources = model.types.messages.map((message) => ({
    name: planned(names.types, message.fullName),
    message,
    propertyNames: propertiesOf(names, message.fullName),
  }));
  const interfaces = await interfaceTexts(sources, names.types);
  const declarations = [
    ...model.types.enums.map((type) => enumDeclaration(type, planned(names.types, type.fullName))),
    ...sources.flatMap(({ message, name, propertyNames }, index) => [
      interfaces[index] ?? '',
      messageTable(message, name, names.types, propertyNames),
    ]),
  ];
  return { imports: imports(model), declarations, isEmpty: declarations.length === 0 };
}

function imports(model: SdkModel): string[] {
  const { messages, enums } = model.types;
  const fields = messages.flatMap((message) => message.fields);
  const has = (cardinality: FieldModel['cardinality']): boolean =>
    fields.some((field) => field.cardinality === cardinality);
  const uses = (kind: FieldModel['type']['kind']): boolean => fields.some(({ type }) => type.kind === kind);
  const wellKnown = new Set(
    fields.flatMap(({ type }) => (type.kind === 'wellKnown' ? [type.wellKnown] : [])),
  );
  const json = [
    ...(wellKnown.has('Struct') ? ['JsonObject'] : []),
    ...(wellKnown.has('Value') || wellKnown.has('ListValue') ? ['JsonValue'] : []),
  ];
  const hasBytes = fields.some(({ type }) => type.kind === 'scalar' && type.scalar === 'bytes');
  const values = [
    ...(hasBytes || wellKnown.has('BytesValue') ? ['ByteArray'] : []),
    ...(fields.some(isCase) ? ['Case'] : []),
    ...(enums.length > 0 ? ['EnumValue'] : []),
    ...(wellKnown.has('Timestamp') ? ['TimestampText'] : []),
  ];
  return importLines(
    messages.length > 0 && 'import type { MessageType } from "./runtime/codec/codec.ts";',
    importNames(
      [...(has('repeated') ? ['listOf'] : []), ...(has('map') ? ['mapOf'] : [])],
      './runtime/codec/containers.ts',
    ),
    uses('enum') && 'import { enumOf } from "./runtime/codec/enums.ts";',
    importNames(json, './runtime/codec/json.ts', 'import type'),
    has('map') && 'import * as mapKey from "./runtime/codec/map-keys.ts";',
    uses('message') && 'import { messageOf } from "./runtime/codec/message.ts";',
    fields.some(isCase) && 'import { oneofOf } from "./runtime/codec/oneof.ts";',
    has('optional') && 'import { optional } from "./runtime/codec/optional.ts";',
    uses('scalar') && 'import * as scalar from "./runtime/codec/scalars.ts";',
    importNames(values, './runtime/codec/values.ts', 'import type'),
    wellKnown.size > 0 && 'import * as wellKnown from "./runtime/codec/well-known.ts";',
    wellKnown.has('Any') && 'import type { AnyMessage } from "./runtime/codec/well-known.ts";',
  );
}

function isCase(field: FieldModel): boolean {
  return field.oneof !== undefined;
}
