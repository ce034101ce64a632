import type { ApiError } from '../../errors/api-error.ts';
import {
  blobStorageUnavailable,
  flowNotQueued,
  inflightExceeded,
  quotaExceeded,
  secretsRefused,
  secretsUnavailable,
} from '../../errors/flow-errors.ts';
import type { DeclaredSecrets, SecretUser } from '../../access/secrets/declared-secrets.ts';
import type { Admission, DailyCaps, Quota, RunOutcome } from '../../store/commit/run-operation.ts';
import type { CompiledGraph } from '../graph/compiled-graph.ts';
import { encodeEntries } from '../journal/codec.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { RunParts } from '../run/run-parts.ts';
import { executionOf } from '../run/transition.ts';

/** Identifies repeated requests within the idempotency window. Keys and fingerprints never match each other. */
export interface Idempotency {
  kind: 'key' | 'fingerprint';
  hash: string;
}

/** Checks that a run may use every secret that a node declares. */
export type SecretCheck = (
  tenantId: string,
  node: SecretUser,
  use: { development: boolean },
) => DeclaredSecrets | Promise<DeclaredSecrets>;

/** The run parts that an admission needs. */
export type AdmissionParts = Pick<RunParts, 'writer' | 'blobs' | 'clock' | 'ids' | 'logger' | 'metrics'>;

/**
 * Checks that a run may use the secrets of every node of a flow.
 *
 * @throws ApiError 400 if a node declares a secret that the run may not use, 503 if a secret cannot be decrypted
 */
export async function requireSecrets(
  checkSecrets: SecretCheck,
  tenantId: string,
  { nodes }: Pick<CompiledGraph, 'nodes'>,
  development: boolean,
): Promise<void> {
  for (const { id: name, requiredSecrets } of nodes) {
    const secrets = await checkSecrets(tenantId, { name, requiredSecrets }, { development });
    if (secrets.ok) continue;
    const { reason, message } = secrets;
    throw reason === 'secrets_unavailable' ? secretsUnavailable(message) : secretsRefused(reason, message);
  }
}

/** Returns the first quota that is used up, or `undefined` if none is known to be. */
export function quotaUsedUp(usage: DailyCaps | undefined, caps: DailyCaps): Quota | undefined {
  return (['invocations', 'executions'] as const).find((quota) => usage && usage[quota] >= caps[quota]);
}

/**
 * Returns the execution that a request repeats. Tries to admit the request with caps of 0, which refuse it unless it
 * is a repetition. This needs no input, so a request beyond the quota is refused before its input is converted.
 */
export async function findRepetition(
  parts: AdmissionParts,
  { tenantId, graph, idempotency }: { tenantId: string; graph: CompiledGraph; idempotency: Idempotency },
): Promise<string | undefined> {
  const id = parts.ids.executionId();
  const outcome = await storeAdmission(parts, {
    kind: 'admit',
    execution: executionOf({ tenantId, executionId: id, graph }, { id, at: parts.clock.now() }),
    owner: null,
    body: '',
    keyHash: keyHashOf(idempotency),
    caps: { invocations: 0, executions: 0 },
  });
  return outcome.kind === 'duplicate' ? outcome.executionId : undefined;
}

/** Returns the hash under which a commit looks for earlier requests. The prefix keeps keys and fingerprints apart. */
export function keyHashOf({ kind, hash }: Idempotency): string {
  return `${kind}:${hash}`;
}

/**
 * Encodes the first row of a run, and stores its large payloads as blobs.
 *
 * @returns the body of the row, and `forget`, which deletes the blobs if the row is not committed
 * @throws ApiError 503 if a blob cannot be stored
 */
export async function encodeFirstRow(
  { blobs, logger }: AdmissionParts,
  { tenantId, executionId }: { tenantId: string; executionId: string },
  entries: readonly JournalEntry[],
): Promise<{ body: string; forget: () => Promise<void> }> {
  let stored = false;
  try {
    const body = await encodeEntries(entries, (bytes) => {
      stored = true;
      return blobs.put(tenantId, executionId, bytes);
    });
    const forget = async (): Promise<void> => {
      if (!stored) return;
      await blobs.remove(tenantId, executionId).catch((error: unknown) => {
        logger.warn({ err: error, execution: executionId }, 'an unreferenced blob could not be deleted');
      });
    };
    return { body, forget };
  } catch (error) {
    logger.error({ err: error }, 'a blob could not be stored');
    throw blobStorageUnavailable();
  }
}

/**
 * Commits an admission. After an error, tries once more, because the commit may have succeeded: the second attempt
 * then finds the execution by its idempotency key.
 *
 * @param inDoubt called with the run if the outcome is still unknown after the second attempt
 * @throws ApiError 503 if the run is not known to be committed
 */
export async function storeAdmission(
  { writer, logger }: Pick<RunParts, 'writer' | 'logger'>,
  admission: Admission,
  inDoubt?: (run: { tenantId: string; executionId: string }) => void,
): Promise<RunOutcome> {
  const { tenantId, id: executionId } = admission.execution;
  for (const attempt of [1, 2]) {
    try {
      const outcome = await writer.write(admission);
      // The rows that fence off the second attempt may come from the first.
      if (outcome.kind === 'fenced' && attempt > 1) break;
      const own = outcome.kind === 'duplicate' && outcome.executionId === executionId;
      return own ? { kind: 'done' } : outcome;
    } catch (error) {
      logger.error({ err: error, attempt }, 'a run could not be stored');
    }
  }
  inDoubt?.({ tenantId, executionId });
  throw flowNotQueued();
}

/**
 * Returns the error of an admission that was refused.
 *
 * @param now time of the request, which decides when a quota is renewed
 */
export function refusalOf(
  outcome: Exclude<RunOutcome, { kind: 'done' | 'duplicate' }>,
  now: number,
): ApiError {
  switch (outcome.kind) {
    case 'over_quota':
      return quotaExceeded(outcome.quota, { cap: outcome.cap, now });
    case 'over_inflight':
      return inflightExceeded(outcome.cap);
    case 'fenced':
      return flowNotQueued();
  }
}
