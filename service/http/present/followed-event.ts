import type { RunEvent } from '../../engine/events/run-event.ts';
import { isBlob } from '../../engine/journal/payload.ts';
import type { Payload } from '../../engine/journal/entry.ts';
import { RawJson } from '../answer/raw-json.ts';
import { presentEvent } from './event.ts';
import type { ShownPayload } from './payload.ts';

/** Returns an event, whose messages are loaded, as one message for all who follow it. */
export function followedEvent(event: RunEvent): { message: RawJson; bytes: number } {
  const { input, output, frame } = event;
  const shown = presentEvent(event, { input: show(input), output: show(output), frame: show(frame) });
  const content = Buffer.from(JSON.stringify(shown));
  return { message: new RawJson(content), bytes: content.length };
}

function show(payload: Payload | undefined): ShownPayload | undefined {
  return payload === undefined || isBlob(payload) ? undefined : { bytes: payload };
}
