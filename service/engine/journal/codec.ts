import { parseExactJson } from '../../../specs/exact-json.ts';
import type { JournalEntry, Payload, StoredBlob } from './entry.ts';
import { isBlob, payloadFields } from './payload.ts';

/** Maximum bytes of a message inside a row. Larger ones go to the blob store before the commit that names them. */
export const inlineBytes = 65_536;

/**
 * Maximum bytes that all copies of a message take in a row. A fan-out may repeat its message hundreds of times; beyond this, the
 * copies share a blob.
 */
const repeatedBytes = 1_048_576;

type Field = (typeof payloadFields)[number];
type Encoded = { base64: string } | StoredBlob;

/**
 * Returns the body of a journal row: a JSON array of entries, with messages as base64 or as the name of their blob.
 *
 * @param put stores bytes that are too large for a row, and returns the name of their blob
 */
export function encodeEntries(
  entries: readonly JournalEntry[],
  put: (bytes: Uint8Array) => Promise<string>,
): string | Promise<string> {
  const large = largePayloads(entries);
  // Most rows have no large payload and are encoded synchronously.
  if (large.size === 0) return stringifyEntries(entries, nothingStored);
  return storeAll(large, put).then((stored) => stringifyEntries(entries, stored));
}

const nothingStored: ReadonlyMap<Uint8Array, StoredBlob> = new Map();

function largePayloads(entries: readonly JournalEntry[]): Set<Uint8Array> {
  const large = new Set<Uint8Array>();
  // Fewer entries cannot repeat a message often enough.
  const bytesInAll = entries.length > repeatedBytes / inlineBytes ? new Map<Uint8Array, number>() : undefined;
  for (const entry of entries) {
    for (const field of payloadFields) {
      const payload = payloadOf(entry, field);
      if (payload === undefined || isBlob(payload)) continue;
      const bytes = (bytesInAll?.get(payload) ?? 0) + payload.length;
      bytesInAll?.set(payload, bytes);
      if (payload.length > inlineBytes || bytes > repeatedBytes) large.add(payload);
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

/**
 * Returns the entries of a row. Blobs are not read. Numbers beyond 2^53 in settings keep the digits that their author
 * wrote.
 */
export function decodeEntries(body: string): JournalEntry[] {
  const entries = parseExactJson(body) as Record<string, unknown>[];
  for (const entry of entries) {
    for (const field of payloadFields) {
      const encoded = entry[field] as Encoded | undefined;
      if (encoded && 'base64' in encoded) entry[field] = bytesOf(encoded.base64);
    }
  }
  return entries as unknown as JournalEntry[];
}

/** Standard base64 with padding. */
export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
