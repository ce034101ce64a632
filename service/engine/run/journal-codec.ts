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
export function encodeEntries(
  entries: readonly JournalEntry[],
  put: (bytes: Uint8Array) => Promise<string>,
): string | Promise<string> {
  const large = largePayloads(entries);
  // Most rows have none, and nothing to wait for.
  if (large.size === 0) return stringifyEntries(entries, nothingStored);
  return storeAll(large, put).then((stored) => stringifyEntries(entries, stored));
}

const nothingStored: ReadonlyMap<Uint8Array, StoredBlob> = new Map();

function largePayloads(entries: readonly JournalEntry[]): Set<Uint8Array> {
  const large = new Set<Uint8Array>();
  for (const entry of entries) {
    for (const field of payloadFields) {
      const payload = payloadOf(entry, field);
      if (payload !== undefined && !isBlob(payload) && payload.length > inlineBytes) large.add(payload);
    }
  }
  return large;
}

async function storeAll(
  payloads: Iterable<Uint8Array>,
  put: (bytes: Uint8Array) => Promise<string>,
): Promise<Map<Uint8Array, StoredBlob>> {
  const stored = new Map<Uint8Array, StoredBlob>();
  for (const payload of payloads) stored.set(payload, { blob: await put(payload), size: payload.length });
  return stored;
}

function stringifyEntries(
  entries: readonly JournalEntry[],
  stored: ReadonlyMap<Uint8Array, StoredBlob>,
): string {
  return JSON.stringify(entries.map((entry) => (hasPayload(entry) ? encodeEntry(entry, stored) : entry)));
}

function encodeEntry(entry: JournalEntry, stored: ReadonlyMap<Uint8Array, StoredBlob>): object {
  const encoded: JournalEntry & Partial<Record<Field, Payload | Encoded>> = { ...entry };
  for (const field of payloadFields) {
    const payload = payloadOf(entry, field);
    if (payload === undefined || isBlob(payload)) continue;
    encoded[field] = stored.get(payload) ?? { base64: base64Of(payload) };
  }
  return encoded;
}

function hasPayload(entry: JournalEntry): boolean {
  return payloadFields.some((field) => payloadOf(entry, field) !== undefined);
}

function payloadOf(entry: JournalEntry, field: Field): Payload | undefined {
  return (entry as Partial<Record<Field, Payload>>)[field];
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
