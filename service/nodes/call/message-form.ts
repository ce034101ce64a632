import { type Conversion, converted } from '../../messages/conversion.ts';
import type { ConversionCaller, MessageWorkers } from '../../messages/convert/message-workers.ts';
import type { MessageRegistry } from '../../messages/registry.ts';

/** A message type within the registry that defines it. */
interface RegisteredType {
  registry: MessageRegistry;
  /** Full name. */
  typeName: string;
}

/** ProtoJSON, or the serialized message. */
export type MessageForm = 'json' | 'bytes';

/** A message as a caller sends it. JSON is text or its UTF-8 bytes, with the number of its values if it is known. */
export type SentMessage<Form extends MessageForm = MessageForm> = Extract<
  | { form: 'json'; text: string | Uint8Array; values?: number | undefined }
  | { form: 'bytes'; bytes: Uint8Array },
  { form: Form }
>;

/** A message as a caller reads it. */
export type ReadMessage<Form extends MessageForm = MessageForm> = Extract<
  { form: 'json'; text: string } | { form: 'bytes'; bytes: Uint8Array },
  { form: Form }
>;

/**
 * Serializes a message; serialized bytes are checked against the type.
 *
 * @throws as `MessageWorkers.convert`
 */
export function serializeMessage(
  messages: Pick<MessageWorkers, 'convert'>,
  task: RegisteredType & ConversionCaller,
  sent: SentMessage,
): Promise<Conversion<Uint8Array>> {
  return sent.form === 'json'
    ? messages.convert('json-to-bytes', { ...task, input: sent.text, values: sent.values })
    : messages.convert('check-bytes', { ...task, input: sent.bytes });
}

/**
 * Converts the output of a node to the requested form. Serialized bytes are checked, and returned unchanged.
 *
 * @throws as `MessageWorkers.convert`
 */
export async function formatMessage<Form extends MessageForm>(
  messages: Pick<MessageWorkers, 'convert'>,
  task: RegisteredType & ConversionCaller,
  bytes: Uint8Array,
  form: Form,
): Promise<Conversion<ReadMessage<Form>>> {
  if (form === 'bytes') {
    const checked = await messages.convert('check-output', { ...task, input: bytes });
    return checked.ok ? converted({ form, bytes } as ReadMessage<Form>) : checked;
  }
  const json = await messages.convert('bytes-to-json', { ...task, input: bytes });
  return json.ok ? converted({ form, text: json.value } as ReadMessage<Form>) : json;
}
