import type { Logger } from 'pino';
import type { FailureKind } from '../../specs/failure-kind.ts';

/** A failed node call or run, as the log identifies it. */
interface FailedCall {
  /** Execution id. */
  execution: string;
  /** Tenant id. */
  tenant: string;
  /** Direct calls: `<owner>/<package>/<version>/<node>`. Runs: the id of the node in the flow, if one failed. */
  node?: string | undefined;
  /** Runs only. */
  graph?: string | undefined;
  failureKind?: FailureKind | undefined;
  message: string;
}

/** Kinds whose texts the service itself writes. Texts of other kinds come from nodes, or may quote an input. */
const ownTexts: ReadonlySet<FailureKind | undefined> = new Set<FailureKind | undefined>([
  undefined,
  'NODE_UNREACHABLE',
  'NODE_TIMEOUT',
  'QUOTA',
  'STEP_LIMIT',
]);

/** Text of a container after its gRPC status, for example `calling node: INTERNAL: <text>`. */
const containerText = /^(.*?: [A-Z_]{2,}): .*$/s;

/**
 * Writes one line about a failure. The text of a node, which may contain inputs and secrets, is only in the record of the
 * execution.
 */
export function logFailedCall(
  logger: Pick<Logger, 'warn'>,
  { message, failureKind, ...call }: FailedCall,
  what: 'a call of a node failed' | 'a run failed',
): void {
  const cause = ownTexts.has(failureKind) ? { cause: message.replace(containerText, '$1') } : {};
  logger.warn({ ...call, failureKind, ...cause }, what);
}
