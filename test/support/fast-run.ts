import diagnostics from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { Test } from 'mocha';

/**
 * Programs that the service itself runs, for milliseconds each, so a fast run may start them too: the proto compiler
 * and the bundler.
 */
const allowed = new Set(['buf', 'esbuild']);

const started = new Set<ChildProcess>();

/** Suites that `suiteNeeds` declared. */
const declared = new WeakSet<Mocha.Suite>();

/** Registers a suite that may start programs. */
export function mayStartPrograms(suite: Mocha.Suite): Mocha.Suite {
  declared.add(suite);
  return suite;
}

/** Reports whether this is `npm run test:fast`: a run without the suites that `suiteNeeds` declares. */
export function isFastRun(): boolean {
  return process.env.SVC_TESTS === 'fast';
}

/** Declares a test that takes about a second or more, such as that of a limit of 64 MiB. A fast run leaves it out. */
export function itSlow(title: string, run: (this: Mocha.Context) => unknown): Mocha.Test {
  return isFastRun() ? new Test(title, run) : it(title, run);
}

/** Returns the number of random cases of a property: `count`, or a tenth of it in a fast run. */
export function randomCases(count: number): number {
  return isFastRun() ? Math.ceil(count / 10) : count;
}

/**
 * Root hooks: a file that starts a program outside `suiteNeeds` fails. Slow files therefore need no list, and the fast
 * run stays fast. A full run can only attribute a program to a file that runs alone or in its own process, as in CI. It
 * then accepts any file with a suite of `suiteNeeds`.
 */
export const mochaHooks: Mocha.RootHookObject = {
  beforeAll() {
    diagnostics.subscribe('child_process', remember);
  },
  afterAll(this: Mocha.Context) {
    diagnostics.unsubscribe('child_process', remember);
    const programs = new Set([...started].map(programOf));
    started.clear();
    const slow = [...programs].filter((program) => !allowed.has(program));
    if (slow.length === 0) return;
    const suites = this.test?.parent?.suites ?? [];
    const files = new Set(suites.map(({ file = '' }) => path.relative(process.cwd(), file)));
    if (!isFastRun() && (files.size > 1 || suites.some(isDeclared))) return;
    throw new Error(
      `${[...files].join(', ')} starts ${slow.join(', ')} in a fast run: declare the suite with suiteNeeds(...)`,
    );
  },
};

function isDeclared(suite: Mocha.Suite): boolean {
  return declared.has(suite) || suite.suites.some(isDeclared);
}

/**
 * Returns the name of a program. The service starts the proto compiler through a shell that limits its memory and time.
 */
function programOf({ spawnfile, spawnargs }: ChildProcess): string {
  return spawnargs.some((argument) => path.basename(argument) === 'buf') ? 'buf' : path.basename(spawnfile);
}

function remember(message: unknown): void {
  started.add((message as { process: ChildProcess }).process);
}
