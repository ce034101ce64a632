import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { checks } from './checks/all-checks.ts';
import type { Violation } from './checks/violation.ts';
import { startDeployment } from './deployment/deployment.ts';
import { readEvidence } from './evidence/read-evidence.ts';
import { emptyHistory, type History } from './history.ts';
import { doHarm } from './load/do-harm.ts';
import { runLoad } from './load/run-load.ts';
import { sampleMemory } from './load/sample-memory.ts';
import type { SoakOptions } from './options.ts';

/** The result of a soak. */
interface SoakResult {
  history: History;
  violations: readonly Violation[];
  /** Folder with the logs and the history. It is removed, and undefined, if there is no violation. */
  folder: string | undefined;
}

/**
 * Starts the service, runs clients while faults are injected, waits until the service is idle, and checks what clients
 * observed against the state of the service.
 *
 * @param watch is called once with the history, which then grows
 */
export async function soak(
  options: SoakOptions,
  watch: (history: History, folder: string) => void = () => undefined,
): Promise<SoakResult> {
  const history = emptyHistory();
  const deployment = await startDeployment(options);
  let violations: Violation[] | undefined;
  try {
    watch(history, deployment.folder);
    const until = Date.now() + options.seconds * 1_000;
    const { seed, harms: kinds } = options;
    const resting = new AbortController();
    const sampling = sampleMemory(deployment.replicas, history, resting.signal);
    try {
      await Promise.all([
        runLoad(deployment, history, { seed, until }),
        doHarm(deployment, history, { seed, until, kinds }),
      ]);
    } finally {
      resting.abort();
      await sampling;
    }
    const evidence = await readEvidence(deployment, history);
    violations = checks.flatMap((check) => check(history, evidence));
    if (violations.length > 0)
      writeFileSync(path.join(deployment.folder, 'history.json'), asJson({ history, evidence, violations }));
  } finally {
    await deployment.stop({ keepsFolder: violations?.length !== 0 });
  }
  return { history, violations, folder: violations.length === 0 ? undefined : deployment.folder };
}

function asJson(value: unknown): string {
  const plain = (_: string, each: unknown): unknown =>
    each instanceof Map ? Object.fromEntries(each) : each instanceof Set ? [...each] : each;
  return JSON.stringify(value, plain, 1);
}
