import { parentPort } from 'node:worker_threads';
import type { ProtoDiagnostic } from '../../errors/proto-compile-error.ts';
import { type CheckedDescriptors, checkDescriptors } from './check-descriptors.ts';
import type { ProtoSources } from './compile-protos.ts';
import { scanSources } from './scan-sources.ts';

/** Entry point of the worker threads of `proto-compiler.ts`. A thread processes one job at a time. */

/** Sources to scan before they are compiled, or compiled descriptors to check. */
export type CheckJob = { sources: ProtoSources } | { descriptorSet: Uint8Array };

/** The result of a job. `failure`: the check itself failed, with its stack. */
export type CheckResult = CheckedDescriptors | { failure: string };

parentPort?.on('message', (job: CheckJob) => {
  parentPort?.postMessage(run(job));
});

function run(job: CheckJob): CheckResult {
  try {
    if ('descriptorSet' in job) return checkDescriptors(job.descriptorSet);
    const diagnostics: ProtoDiagnostic[] = scanSources(job.sources);
    return { diagnostics, messages: [] };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
