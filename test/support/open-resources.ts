import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Time for resources to close by themselves: they do so immediately, or within seconds on a busy machine. */
const GRACE_MS = 8_000;
const POLL_MS = 25;

let atStart: string[] = [];

/**
 * Root hooks: a test file must close what it opened: servers, sockets, child processes, workers, timers. A resource
 * that keeps the process alive fails its file and is reported by its kind; it neither hangs the run nor disappears with
 * the process. Resources that serve a whole process (the PostgreSQL of the repository suites) are unreferenced by the
 * code that starts them.
 *
 * In parallel mode the hooks run for each file, otherwise once for all.
 */
export const mochaHooks: Mocha.RootHookObject = {
  async beforeAll(this: Mocha.Context) {
    await ownTimerRuns();
    atStart = process.getActiveResourcesInfo();
  },
  async afterAll(this: Mocha.Context) {
    const deadline = performance.now() + GRACE_MS;
    await ownTimerRuns();
    let open = leftOver(atStart, process.getActiveResourcesInfo());
    while (open.length > 0 && performance.now() < deadline) {
      // Connections end a little after their servers; the pause is unreferenced, so it does not count itself.
      await pause(POLL_MS, undefined, { ref: false });
      open = leftOver(atStart, process.getActiveResourcesInfo());
    }
    if (open.length > 0) {
      const files = new Set(this.test?.parent?.suites.map((suite) => suite.file));
      const where = files.size === 1 ? ` of ${path.relative(process.cwd(), [...files][0] ?? '')}` : '';
      throw new Error(
        `still open ${GRACE_MS} ms after the last test${where}: ${open.join(', ')}. Close what the tests start`,
      );
    }
  },
};

/** Resolves once mocha's own timer of an asynchronous hook counts as open, so that both hooks count it. */
async function ownTimerRuns(): Promise<void> {
  await pause(0, undefined, { ref: false });
}

/** Returns the kinds of resources that `now` contains in excess of `before`, one entry for each resource. */
function leftOver(before: readonly string[], now: readonly string[]): string[] {
  const known = [...before];
  return now.filter((kind) => {
    const index = known.indexOf(kind);
    if (index >= 0) known.splice(index, 1);
    return index < 0;
  });
}
