import type { Evidence } from '../evidence/evidence.ts';
import type { History } from '../history.ts';

/** A violated invariant, with the ids to investigate it. */
export interface Violation {
  /** Name of an operation, or of a check. */
  about: string;
  text: string;
}

/** Finds violations of an invariant. */
export type Check = (history: History, evidence: Evidence) => Violation[];
