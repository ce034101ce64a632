import type { Json } from '../../errors/api-error.ts';

/** A message of a run in the form to show: JSON if requested and possible, otherwise bytes. */
export type ShownPayload = { bytes: Uint8Array } | { json: Json };

export function inputField(payload: ShownPayload): { input: Json } | { input_bytes: string } {
  return 'json' in payload ? { input: payload.json } : { input_bytes: base64(payload.bytes) };
}

export function outputField(payload: ShownPayload): { output: Json } | { output_bytes: string } {
  return 'json' in payload ? { output: payload.json } : { output_bytes: base64(payload.bytes) };
}

export function frameField(payload: ShownPayload): { frame: Json } | { frame_bytes: string } {
  return 'json' in payload ? { frame: payload.json } : { frame_bytes: base64(payload.bytes) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
