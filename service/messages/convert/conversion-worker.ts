import { parentPort } from 'node:worker_threads';
import type { Conversion } from '../conversion.ts';
import { convertInline } from './convert.ts';
import type { ConversionKind } from './convert.ts';
import { createRegistry } from '../registry.ts';
import type { MessageRegistry } from '../registry.ts';

/** Entry point of the worker threads that `conversion-threads.ts` starts. A thread processes one job at a time. */

export interface WorkerJob {
  kind: ConversionKind;
  descriptorSet: Uint8Array;
  /** Key of the registry for `descriptorSet`. */
  key: string;
  typeName: string;
  input: string | Uint8Array;
}

export type WorkerResult = { conversion: Conversion<Uint8Array | string> } | { failure: string };

/** Registries that a thread caches. */
const maxRegistries = 16;

const registries = new Map<string, MessageRegistry>();

parentPort?.on('message', (job: WorkerJob) => {
  parentPort?.postMessage(run(job));
});

function run({ kind, key, descriptorSet, typeName, input }: WorkerJob): WorkerResult {
  try {
    const registry = registryOf(key, descriptorSet);
    // The sender checks that the input matches the kind.
    return { conversion: convertInline(kind, { registry, typeName, input }) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

function registryOf(key: string, descriptorSet: Uint8Array): MessageRegistry {
  const registry = registries.get(key) ?? createRegistry(descriptorSet);
  // Map order is the order of use.
  registries.delete(key);
  registries.set(key, registry);
  const [oldest] = registries.keys();
  if (registries.size > maxRegistries && oldest !== undefined) registries.delete(oldest);
  return registry;
}
