import type { Logger } from 'pino';
import type { Metrics } from '../../metrics.ts';

/** What happens to a response that does not match its operation. */
export type MismatchMode =
  /** It is logged, counted and sent: callers must not suffer from a wrong declaration. */
  | 'report'
  /** The request fails with 500, so that tests notice. */
  | 'reject';

/** Receives each difference between a response and its operation. */
export interface ContractReport {
  /** Bodies over this size are compared by status, headers and media type only. */
  maxBodySize: number;
  /**
   * @param problem what differs, without values of the body
   * @throws Error in the mode `reject`
   */
  mismatch(operation: string, problem: string): void;
}

/** Parsing and checking this much takes well under a millisecond, so no caller waits noticeably for another caller's response. */
const reportedBodySize = 65_536;

/** Maximum number of distinct problems that are logged; further ones are only counted. */
const maxLogged = 1_000;
const maxProblemLength = 500;

/** Creates the report of a server. In the mode `report` every difference is counted, and equal ones are logged once. */
export function createContractReport(
  mode: MismatchMode,
  { logger, metrics }: { logger: Logger; metrics: Metrics },
): ContractReport {
  if (mode === 'reject') {
    return {
      maxBodySize: Infinity,
      mismatch: (operation, problem) => {
        throw new Error(`the answer differs from operation ${operation}: ${problem}`);
      },
    };
  }
  const logged = new Set<string>();
  return {
    maxBodySize: reportedBodySize,
    mismatch: (operation, problem) => {
      metrics.countContractMismatch(operation);
      const entry = { operation, problem: problem.slice(0, maxProblemLength) };
      const key = `${operation} ${entry.problem}`;
      // A mismatch on a busy route would otherwise fill the log.
      if (logged.has(key) || logged.size >= maxLogged) return;
      logged.add(key);
      logger.error(entry, 'an answer differs from its operation');
    },
  };
}
