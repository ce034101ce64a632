import type { RawJson } from '../answer/raw-json.ts';

/** A message of a run in the form to show: JSON if requested and possible, otherwise bytes. */
export type ShownPayload = { bytes: Uint8Array } | { json: RawJson };

/** Returns the bytes of a message in the form to show. */
export function shownBytes(payload: ShownPayload): number {
  return 'json' in payload ? Buffer.byteLength(payload.json.content) : payload.bytes.length;
}

/** Returns the field for an input: JSON as it is, or bytes in base64. */
export function inputField(payload: ShownPayload): { input: RawJson } | { input_bytes: string } {
  return 'json' in payload ? { input: payload.json } : { input_bytes: base64(payload.bytes) };
}

/** Returns the field for an output: JSON as it is, or bytes in base64. */
export function outputField(payload: ShownPayload): { output: RawJson } | { output_bytes: string } {
  return 'json' in payload ? { output: payload.json } : { output_bytes: base64(payload.bytes) };
}

/** Returns the field for a frame of a stream: JSON as it is, or bytes in base64. */
export function frameField(payload: ShownPayload): { frame: RawJson } | { frame_bytes: string } {
  return 'json' in payload ? { frame: payload.json } : { frame_bytes: base64(payload.bytes) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
