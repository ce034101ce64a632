import type { Payload } from '../journal/entry.ts';
import { isBlob } from '../journal/payload.ts';
import type { RunEvent } from './run-event.ts';

/** Returns about how many bytes an event takes as JSON. Its messages, which may not be loaded yet, count as base64. */
export function eventBytes({ input, output, frame, ...rest }: RunEvent): number {
  const messages = [input, output, frame].reduce((bytes, payload) => bytes + messageBytes(payload), 0);
  return messages + Buffer.byteLength(JSON.stringify(rest));
}

function messageBytes(payload: Payload | undefined): number {
  if (payload === undefined) return 0;
  return Math.ceil((isBlob(payload) ? payload.size : payload.length) / 3) * 4;
}
