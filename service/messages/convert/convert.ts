import type { Conversion } from '../conversion.ts';
import { bytesFromJson } from '../json/message-from-json.ts';
import { jsonFromBytes } from '../json/message-to-json.ts';
import type { MessageRegistry } from '../registry.ts';
import { checkOutput } from '../wire/check-output.ts';
import { checkPayload } from '../wire/check-payload.ts';

/** The conversions that workers perform, with their input and output types. */
export interface Conversions {
  /** From ProtoJSON (text, or its UTF-8 bytes) to the bytes of the message. */
  'json-to-bytes': { input: string | Uint8Array; output: Uint8Array };
  /** From the bytes of the message to ProtoJSON text. */
  'bytes-to-json': { input: Uint8Array; output: string };
  /** Validates the bytes of the message and returns them unchanged. */
  'check-bytes': { input: Uint8Array; output: Uint8Array };
  /** Checks that the bytes of a node's output can be read, and returns them unchanged. */
  'check-output': { input: Uint8Array; output: Uint8Array };
}

/** The name of a conversion. It decides the types of the input and of the output. */
export type ConversionKind = keyof Conversions;

/** A payload to convert, with its message type. */
export interface ConversionInput<Kind extends ConversionKind> {
  registry: MessageRegistry;
  /** Full name of the message. */
  typeName: string;
  input: Conversions[Kind]['input'];
}

type Converters = {
  [Kind in ConversionKind]: (
    registry: MessageRegistry,
    typeName: string,
    input: Conversions[Kind]['input'],
  ) => Conversion<Conversions[Kind]['output']>;
};

const converters: Converters = {
  'json-to-bytes': bytesFromJson,
  'bytes-to-json': jsonFromBytes,
  'check-bytes': checkPayload,
  'check-output': checkOutput,
};

/** Converts synchronously on the current thread. */
export function convertInline<Kind extends ConversionKind>(
  kind: Kind,
  { registry, typeName, input }: ConversionInput<Kind>,
): Conversion<Conversions[Kind]['output']> {
  return converters[kind](registry, typeName, input);
}
