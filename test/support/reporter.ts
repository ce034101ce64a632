import path from 'node:path';

import Mocha from 'mocha';

const SLOWEST = 10;
const SLOW_MS = 1_000;

/**
 * Prints the output of mocha's `spec`, then failures in full, skipped tests with their reason, the slowest tests, and
 * as the last line, also for programs, `N passed, N failed, N skipped`. Works in parallel mode, where a test arrives as
 * a plain object: only its titles, state and duration are used. A failed hook counts as failed.
 */
class Reporter extends Mocha.reporters.Spec {
  readonly #skipped: Mocha.Test[] = [];
  readonly #passed: Mocha.Test[] = [];

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('pending', (test) => this.#skipped.push(test));
    runner.on('pass', (test) => this.#passed.push(test));
    runner.on('fail', (test) => {
      // A file that cannot be loaded, or that kills its worker, has no failed test, so report the file.
      const file = test.titlePath().length === 1 ? test.file : undefined;
      if (file !== undefined) test.title = `${path.relative(process.cwd(), file)}: ${test.title}`;
    });
  }

  /** Suppresses Mocha's own closing report, since in parallel mode a file that cannot be loaded is reported after it. */
  override epilogue(): void {
    return;
  }

  override done(failures: number, finish: (failures: number) => void): void {
    this.#close();
    finish(failures);
  }

  #close(): void {
    if (this.failures.length > 0) {
      print('\nFailed');
      Mocha.reporters.Base.list(this.failures);
    }
    if (this.#skipped.length > 0) {
      print('\nSkipped');
      for (const test of this.#skipped) print(`  ${test.titlePath().join(': ')}`);
    }
    const slow = slowest(this.#passed);
    if (slow.length > 0) {
      print('\nSlowest');
      for (const test of slow) print(`  ${((test.duration ?? 0) / 1_000).toFixed(1)} s  ${test.fullTitle()}`);
    }
    const seconds = ((this.stats.duration ?? 0) / 1_000).toFixed(0);
    print(`\n${String(this.stats.suites)} suites in ${seconds} s`);
    print(`${this.#passed.length} passed, ${this.failures.length} failed, ${this.#skipped.length} skipped`);
  }
}

function slowest(tests: readonly Mocha.Test[]): Mocha.Test[] {
  return tests
    .filter((test) => (test.duration ?? 0) >= SLOW_MS)
    .sort((a, b) => (b.duration ?? 0) - (a.duration ?? 0))
    .slice(0, SLOWEST);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

// Mocha loads a reporter with `require`, which takes this name as the whole module.
export { Reporter as 'module.exports' };
