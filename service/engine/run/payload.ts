import type { Payload, StoredBlob } from './journal-entry.ts';
import type { RunState } from './run-state.ts';

/** Bytes of a payload that is in memory. */
export function loadedBytes(payload: Payload): Uint8Array {
  if (isBlob(payload)) throw new Error(`blob ${payload.blob} has not been read`);
  return payload;
}

export function isBlob(payload: Payload): payload is StoredBlob {
  return !(payload instanceof Uint8Array);
}

/** Reads what a run goes on from, so that whatever comes next finds it in memory; its journal's other blobs stay where they are. */
export async function loadPayloads(
  state: RunState,
  read: (blob: StoredBlob) => Promise<Uint8Array>,
): Promise<void> {
  const load = async (payload: Payload): Promise<Uint8Array> => (isBlob(payload) ? read(payload) : payload);
  if (state.input) state.input = await load(state.input);
  if (state.result) state.result = await load(state.result);
  for (const step of state.active.values()) step.input = await load(step.input);
  for (const { arrivals } of state.joins.values()) {
    for (const arrival of arrivals) arrival.payload = await load(arrival.payload);
  }
}
