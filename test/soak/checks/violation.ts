import type { Evidence } from '../evidence/evidence.ts';
import type { History } from '../history.ts';

/** Something that must not be, with the ids to look at it. */
export interface Violation {
  /** Name of an operation, or of a check. */
  about: string;
  text: string;
}

/** Looks for what must not be. */
export type Check = (history: History, evidence: Evidence) => Violation[];
