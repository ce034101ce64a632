/** What one evaluation may still spend. Evaluations do not nest, so one meter serves all of an environment. */
export interface Meter {
  /** Begins an evaluation with its whole budget. */
  reset(): void;
  /** @throws CostExceeded when the budget is used up. */
  spend(units: number): void;
  readonly left: number;
}

/** Ends an evaluation at once: nothing between a function of CEL and the evaluation's beginning catches it. */
export class CostExceeded extends Error {
  constructor() {
    super('the expression costs too much to evaluate on this input');
  }
}

/** @param budget units for each evaluation. */
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
