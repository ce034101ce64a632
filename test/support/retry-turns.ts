/** How often a test may begin again after a turn that took too long. */
const maxRetries = 2;

let current: Mocha.Test | undefined;

/** Root hooks: know the test that runs. */
export const mochaHooks: Mocha.RootHookObject = {
  beforeEach(this: Mocha.Context) {
    current = this.currentTest;
  },
};

/**
 * Lets the test that runs begin again if it fails, up to twice in all. The first attempt also compiles the code, and what else runs on the
 * machine lengthens single turns; a defect lengthens them in each attempt.
 */
export function retryThisTest(): void {
  current?.retries(maxRetries);
}
