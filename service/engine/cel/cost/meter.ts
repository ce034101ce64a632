/** The remaining budget of an evaluation. Evaluations do not nest, so an environment needs one meter. */
export interface Meter {
  /** Starts an evaluation with the full budget. */
  reset(): void;
  /** @throws CostExceeded when the budget is exhausted */
  spend(units: number): void;
  readonly left: number;
}

/** Aborts an evaluation that exceeds its budget. */
export class CostExceeded extends Error {
  constructor() {
    super('the expression is too expensive to evaluate on this input');
  }
}

/** @param budget units per evaluation */
export function createMeter(budget: number): Meter {
  let left = budget;
  return {
    reset() {
      left = budget;
    },
    spend(units) {
      left -= units;
      if (left < 0) throw new CostExceeded();
    },
    get left() {
      return left;
    },
  };
}
