import { parentPort } from 'node:worker_threads';
import type { Conversion } from './conversion.ts';
import { convertInline } from './convert.ts';
import type { ConversionKind } from './convert.ts';
import { createRegistry } from './registry.ts';
import type { MessageRegistry } from './registry.ts';

/** The thread that `message-workers.ts` starts: one job at a time, each answered once. */

export interface WorkerJob {
  kind: ConversionKind;
  descriptorSet: Uint8Array;
  /** Key of the registry that `descriptorSet` makes. */
  key: string;
  typeName: string;
  input: string | Uint8Array;
}

export type WorkerAnswer = { conversion: Conversion<Uint8Array | string> } | { failure: string };

/** As many package versions as one thread keeps linked. */
const maxRegistries = 16;

const registries = new Map<string, MessageRegistry>();

parentPort?.on('message', (job: WorkerJob) => {
  parentPort?.postMessage(answer(job));
});

function answer({ kind, key, descriptorSet, typeName, input }: WorkerJob): WorkerAnswer {
  try {
    const registry = registryOf(key, descriptorSet);
    // Which input goes with which kind is checked where the job is made.
    return { conversion: convertInline(kind, { registry, typeName, input: input }) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

function registryOf(key: string, descriptorSet: Uint8Array): MessageRegistry {
  const registry = registries.get(key) ?? createRegistry(descriptorSet);
  // The one used last stands last.
  registries.delete(key);
  registries.set(key, registry);
  const [oldest] = registries.keys();
  if (registries.size > maxRegistries && oldest !== undefined) registries.delete(oldest);
  return registry;
}
