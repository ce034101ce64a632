import { type DescMessage, equals, fromBinary } from '@bufbuild/protobuf';
import { limits } from '../../../specs/limits.ts';
import { findJournalBody } from '../../store/journal.ts';
import type { Database } from '../../store/database.ts';
import type { BlobStore } from '../../objects/blob-store.ts';
import { decodeEntries } from '../journal/codec.ts';
import type { Payload } from '../journal/entry.ts';
import { isBlob } from '../journal/payload.ts';

/** The input of a run as it was serialized, or `invalid` if it does not fit its type. */
export type AdmittedInput = Uint8Array | 'invalid';

/**
 * Reports whether a run began with the input. Compares serialized messages, so that the same message with different
 * white space is the same input. Two invalid inputs are considered equal, because a run does not store an invalid
 * input.
 *
 * @param type of both inputs; `undefined` if they may have different types
 */
export async function beganWith(
  { db, blobs }: { db: Database; blobs: Pick<BlobStore, 'read'> },
  { tenantId, executionId }: { tenantId: string; executionId: string },
  input: AdmittedInput,
  type: DescMessage | undefined,
): Promise<boolean> {
  const body = await findJournalBody(db, { tenantId, executionId, seq: 0 });
  if (body === undefined) return true;
  const earlier = inputOf(body);
  if (earlier === 'invalid' || input === 'invalid') return earlier === input;
  if (!isBlob(earlier)) return isSameMessage(type, earlier, input);
  if (earlier.size !== input.length) return false;
  return isSameMessage(type, await blobs.read(tenantId, executionId, earlier.blob), input);
}

/**
 * Many languages write map entries in random order, which changes the bytes but not their number. Large messages are compared by
 * their bytes alone, because parsing them would block the process.
 */
function isSameMessage(type: DescMessage | undefined, a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  if (Buffer.from(a.buffer, a.byteOffset, a.length).equals(b)) return true;
  if (type === undefined || a.length > limits.comparedInputBytes) return false;
  return equals(type, fromBinary(type, a), fromBinary(type, b));
}

/**
 * The input is in the first step if the first row has that step, otherwise in the first entry. A run with an invalid input ends
 * in its first row.
 */
function inputOf(body: string): Payload | 'invalid' {
  const entries = decodeEntries(body);
  const step = entries.find((entry) => entry.type === 'NODE_STARTED');
  if (step) return step.input;
  const [admitted] = entries;
  const isOver = entries.some(({ type }) => type === 'FLOW_FAILED');
  return (isOver || admitted?.type !== 'admitted' ? undefined : admitted.input) ?? 'invalid';
}
