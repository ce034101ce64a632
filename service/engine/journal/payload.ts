import type { Fact, JournalEntry, Payload, StoredBlob } from './entry.ts';
import type { RunState } from './state.ts';

/** Returns the bytes of a payload in memory. */
export function loadedBytes(payload: Payload): Uint8Array {
  if (isBlob(payload)) throw new Error(`blob ${payload.blob} has not been read`);
  return payload;
}

/** Reports whether the bytes of a payload still have to be read from the blob store. */
export function isBlob(payload: Payload): payload is StoredBlob {
  return !(payload instanceof Uint8Array);
}

/** Fields of entries that hold payloads. */
export const payloadFields = ['input', 'output', 'waits', 'frame'] as const;

/**
 * Returns the total bytes of a fact's payloads that are in memory.
 *
 * @param most maximum length of a payload that is counted
 */
export function payloadBytes(fact: Fact, most = Infinity): number {
  let bytes = 0;
  for (const field of payloadFields) {
    const payload = (fact as Partial<Record<typeof field, Payload>>)[field];
    if (payload !== undefined && !isBlob(payload) && payload.length <= most) bytes += payload.length;
  }
  return bytes;
}

/** Returns the blobs that an entry names. */
export function blobsOf(entry: JournalEntry): StoredBlob[] {
  return payloadFields.flatMap((field) => {
    const payload = (entry as Partial<Record<typeof field, Payload>>)[field];
    return payload && isBlob(payload) ? [payload] : [];
  });
}

/**
 * Loads the payloads from which a run continues. Other blobs of its journal are not read. Payloads in the same blob share its
 * bytes, as they did before they were stored: hundreds of steps may continue from one large message.
 */
export async function loadPayloads(
  state: RunState,
  read: (blob: StoredBlob) => Promise<Uint8Array>,
): Promise<void> {
  const loaded = new Map<string, Uint8Array>();
  const load = async (payload: Payload): Promise<Uint8Array> => {
    if (!isBlob(payload)) return payload;
    const bytes = loaded.get(payload.blob) ?? (await read(payload));
    loaded.set(payload.blob, bytes);
    return bytes;
  };
  if (state.input) state.input = await load(state.input);
  if (state.result) state.result = await load(state.result);
  for (const step of state.active.values()) step.input = await load(step.input);
  for (const { arrivals } of state.joins.values()) {
    for (const arrival of arrivals) arrival.payload = await load(arrival.payload);
  }
}
