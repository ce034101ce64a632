import type { Json, ScriptedAnswer } from './conformance-case.ts';

/** The execution id in scripted frames. */
const STREAM_EXECUTION_ID = '8d1c6d40a3b14e5f8d7c6b5a49382716';

/** The events of a streamed response; undefined for other responses. */
export function eventStream({ events, frames, last }: ScriptedAnswer): string | undefined {
  if (events !== undefined) return events;
  if (frames === undefined) return undefined;
  const payloads = frames.map((payload) => ({ payload, is_final: false }));
  const ending = last === null ? [] : [{ is_final: true, ...fieldsOf(last ?? { success: true }) }];
  return [...payloads, ...ending].map(eventOf).join('');
}

function eventOf(fields: object, index: number): string {
  const frame = { execution_id: STREAM_EXECUTION_ID, frame_index: index, ...fields };
  return `data: ${JSON.stringify(frame)}\n\n`;
}

function fieldsOf(last: Json): object {
  if (typeof last === 'object' && last !== null && !Array.isArray(last)) return last;
  throw new Error('last must be an object of fields');
}
