import diagnostics from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';

/** Programs that the service itself runs for milliseconds, so a fast run may start them too: the proto compiler. */
const allowed = new Set(['buf']);

const started = new Set<ChildProcess>();

/** Reports whether this is `npm run test:fast`: a run without the suites that `suiteNeeds` declares. */
export function isFastRun(): boolean {
  return process.env.SVC_TESTS === 'fast';
}

/** How many random cases a property is tried with: `count`, in a fast run a tenth of it. */
export function randomCases(count: number): number {
  return isFastRun() ? Math.ceil(count / 10) : count;
}

/**
 * Root hooks: in a fast run, a file that starts a program outside `suiteNeeds` fails. So no file has to be listed as slow, and
 * the fast run stays fast.
 */
export const mochaHooks: Mocha.RootHookObject = {
  beforeAll() {
    if (isFastRun()) diagnostics.subscribe('child_process', remember);
  },
  afterAll(this: Mocha.Context) {
    diagnostics.unsubscribe('child_process', remember);
    const programs = new Set([...started].map(({ spawnfile }) => path.basename(spawnfile)));
    started.clear();
    const slow = [...programs].filter((program) => !allowed.has(program));
    if (slow.length === 0) return;
    const files = new Set(
      this.test?.parent?.suites.map(({ file = '' }) => path.relative(process.cwd(), file)),
    );
    throw new Error(
      `${[...files].join(', ')} starts ${slow.join(', ')} in a fast run: declare the suite with suiteNeeds(...)`,
    );
  },
};

function remember(message: unknown): void {
  started.add((message as { process: ChildProcess }).process);
}
