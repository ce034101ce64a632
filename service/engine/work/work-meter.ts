import { expressionTooExpensive } from '../../errors/edge-errors.ts';
import { expressionLimits } from '../expression-limits.ts';
import { failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';

/**
 * The budget of one evaluation: the edges of a step with their conditions and adapters, the compose plan of a join, or a mapping that is
 * compiled or previewed. CEL, transforms and regular expressions all draw on it. Work is counted, not timed, so a result never
 * depends on the load of the machine.
 */
export class WorkMeter {
  readonly #units: number;
  #left: number;

  constructor(units: number = expressionLimits.workUnits) {
    this.#units = units;
    this.#left = units;
  }

  get spent(): number {
    return this.#units - this.#left;
  }

  /** Negative once the budget is exceeded. */
  get left(): number {
    return this.#left;
  }

  /**
   * Charges for work before it is done. A unit is about a quarter of a microsecond.
   *
   * @throws WorkExceeded if the budget is exceeded, now or before
   */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new WorkExceeded();
  }
}

/** Aborts an evaluation that exceeds its budget. `withinBudget` turns it into a failure. */
export class WorkExceeded extends Error {
  override readonly name = 'WorkExceeded';
}

/**
 * Runs work that spends from a meter. Exceeding the budget is a failure like any other.
 *
 * @param explain adds the location to the detail of that failure
 */
export function withinBudget<T>(work: () => Outcome<T>, explain: (detail: string) => string): Outcome<T> {
  try {
    return work();
  } catch (error) {
    if (error instanceof WorkExceeded) return failed(explain(expressionTooExpensive));
    throw error;
  }
}
