import type { JournalEntry, Payload, StoredBlob } from './journal-entry.ts';
import { isBlob } from './payload.ts';

/** Bytes of one message that a row holds itself; more go to the blob store, before the commit that names them. */
export const inlineBytes = 65_536;

/** Fields of entries that are payloads. */
const payloadFields = ['input', 'output', 'waits'] as const;

type Field = (typeof payloadFields)[number];
type Encoded = { base64: string } | StoredBlob;

/**
 * Body of a journal row: a JSON array of entries, messages as base64 or as the name of their blob.
 *
 * @param put keeps bytes that are too large for a row, and names them
 */
export async function encodeEntries(
  entries: readonly JournalEntry[],
  put: (bytes: Uint8Array) => Promise<string>,
): Promise<string> {
  const stored = new Map<Uint8Array, StoredBlob>();
  for (const payload of entries.flatMap(payloadsOf)) {
    if (isBlob(payload) || payload.length <= inlineBytes || stored.has(payload)) continue;
    stored.set(payload, { blob: await put(payload), size: payload.length });
  }
  return JSON.stringify(entries.map((entry) => encodeEntry(entry, stored)));
}

function encodeEntry(entry: JournalEntry, stored: ReadonlyMap<Uint8Array, StoredBlob>): object {
  const fields = entry as Partial<Record<Field, Payload>>;
  const encoded: Partial<Record<Field, Encoded>> = {};
  for (const field of payloadFields) {
    const payload = fields[field];
    if (payload === undefined || isBlob(payload)) continue;
    encoded[field] = stored.get(payload) ?? { base64: base64Of(payload) };
  }
  return { ...entry, ...encoded };
}

/** The entries of a row; blobs stay names. */
export function decodeEntries(body: string): JournalEntry[] {
  const entries = JSON.parse(body) as Record<string, unknown>[];
  for (const entry of entries) {
    for (const field of payloadFields) {
      const encoded = entry[field] as Encoded | undefined;
      if (encoded && 'base64' in encoded) entry[field] = bytesOf(encoded.base64);
    }
  }
  return entries as unknown as JournalEntry[];
}

/** Base64 as SPEC.md has it: standard, padded. */
export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

function payloadsOf(entry: JournalEntry): Payload[] {
  const fields = entry as Partial<Record<Field, Payload>>;
  return payloadFields.flatMap((field) => fields[field] ?? []);
}
