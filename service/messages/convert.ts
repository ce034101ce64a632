import type { Conversion } from './conversion.ts';
import { bytesFromJson } from './message-from-json.ts';
import { jsonFromBytes } from './message-to-json.ts';
import type { MessageRegistry } from './registry.ts';
import { checkPayload } from './wire-check.ts';

/** The conversions that may be big enough for a worker, by what they take and give. */
export interface Conversions {
  /** ProtoJSON (text, or its UTF-8 bytes) to the bytes of the message. */
  'json-to-bytes': { input: string | Uint8Array; output: Uint8Array };
  /** Bytes of the message to ProtoJSON text. */
  'bytes-to-json': { input: Uint8Array; output: string };
  /** Bytes of the message to the same bytes, once their shape was checked. */
  'check-bytes': { input: Uint8Array; output: Uint8Array };
}

export type ConversionKind = keyof Conversions;

export interface ConversionTask<Kind extends ConversionKind> {
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
};

/** Converts here and now, on the thread of the caller. */
export function convertInline<Kind extends ConversionKind>(
  kind: Kind,
  { registry, typeName, input }: ConversionTask<Kind>,
): Conversion<Conversions[Kind]['output']> {
  return converters[kind](registry, typeName, input);
}
