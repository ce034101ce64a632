import type { Json } from '../../errors/api-error.ts';

/** A message of a run on the wire: its bytes, or the message as JSON where that was asked for and can be made. */
export type ShownPayload = { bytes: Uint8Array } | { json: Json };

/** `<name>_bytes` with base64, or `<name>` with the decoded message (SPEC.md, Event fields). */
export function payloadField(name: 'input' | 'output', payload: ShownPayload): Record<string, Json> {
  return 'json' in payload
    ? { [name]: payload.json }
    : { [`${name}_bytes`]: Buffer.from(payload.bytes).toString('base64') };
}
