/** Maximum retries of a test after a turn that took too long. */
const maxRetries = 2;

let current: Mocha.Test | undefined;

/** Root hooks that record the current test. */
export const mochaHooks: Mocha.RootHookObject = {
  beforeEach(this: Mocha.Context) {
    current = this.currentTest;
  },
};

/**
 * Allows the current test to be retried at most twice. The first attempt also compiles the code, and other work on the
 * machine lengthens single turns; a defect lengthens them in every attempt.
 */
export function retryThisTest(): void {
  current?.retries(maxRetries);
}
