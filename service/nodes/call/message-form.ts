import { type Conversion, converted } from '../../messages/conversion.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import type { MessageRegistry } from '../../messages/registry.ts';

/** A message type within the registry that defines it. */
interface RegisteredType {
  registry: MessageRegistry;
  /** Full name. */
  typeName: string;
}

/** ProtoJSON, or the serialized message. */
export type MessageForm = 'json' | 'bytes';

/** A message as a caller sends it. JSON is text or its UTF-8 bytes, with the number of its values if known. */
export type SentMessage<Form extends MessageForm = MessageForm> = Extract<
  { form: 'json'; text: string | Uint8Array; values?: number } | { form: 'bytes'; bytes: Uint8Array },
  { form: Form }
>;

/** A message as a caller reads it. */
export type ReadMessage<Form extends MessageForm = MessageForm> = Extract<
  { form: 'json'; text: string } | { form: 'bytes'; bytes: Uint8Array },
  { form: Form }
>;

/** Serializes a message; serialized bytes are checked against the type. */
export function serializeMessage(
  messages: Pick<MessageWorkers, 'convert'>,
  type: RegisteredType,
  sent: SentMessage,
): Promise<Conversion<Uint8Array>> {
  return sent.form === 'json'
    ? messages.convert('json-to-bytes', {
        ...type,
        input: sent.text,
        ...(sent.values !== undefined && { values: sent.values }),
      })
    : messages.convert('check-bytes', { ...type, input: sent.bytes });
}

/** Gives a serialized message the requested form. Bytes are not checked. */
export async function formatMessage<Form extends MessageForm>(
  messages: Pick<MessageWorkers, 'convert'>,
  type: RegisteredType,
  bytes: Uint8Array,
  form: Form,
): Promise<Conversion<ReadMessage<Form>>> {
  if (form === 'bytes') return converted({ form, bytes } as ReadMessage<Form>);
  const json = await messages.convert('bytes-to-json', { ...type, input: bytes });
  return json.ok ? converted({ form, text: json.value } as ReadMessage<Form>) : json;
}
