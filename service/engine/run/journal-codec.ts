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
  const encoded: object[] = [];
  for (const entry of entries) encoded.push(await encodeEntry(entry, put));
  return JSON.stringify(encoded);
}

async function encodeEntry(
  entry: JournalEntry,
  put: (bytes: Uint8Array) => Promise<string>,
): Promise<object> {
  const payloads = payloadsOf(entry);
  if (payloads.length === 0) return entry;
  const encoded: Partial<Record<Field, Encoded>> = {};
  for (const [field, payload] of payloads) {
    if (isBlob(payload)) encoded[field] = payload;
    else if (payload.length <= inlineBytes) encoded[field] = { base64: base64Of(payload) };
    else encoded[field] = { blob: await put(payload), size: payload.length };
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

function payloadsOf(entry: JournalEntry): [Field, Payload][] {
  const fields = entry as Partial<Record<Field, Payload>>;
  return payloadFields.flatMap((field) => {
    const payload = fields[field];
    return payload === undefined ? [] : [[field, payload] as [Field, Payload]];
  });
}
