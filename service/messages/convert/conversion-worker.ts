// Must be the first import: protobuf-es looks for the encoder when it is loaded.
import './fast-base64.ts';
import { parentPort } from 'node:worker_threads';
import { BoundedCache } from '../../bounded-cache.ts';
import { thrownMessage } from '../../errors/thrown-message.ts';
import type { Conversion } from '../conversion.ts';
import { convertInline } from './convert.ts';
import type { ConversionKind } from './convert.ts';
import { createRegistry } from '../registry.ts';
import type { MessageRegistry } from '../registry.ts';

/** Entry point of the worker threads of `message-workers.ts`. A thread processes one job at a time. */

/** A conversion to perform, as plain data. */
export interface WorkerJob {
  kind: ConversionKind;
  descriptorSet: Uint8Array;
  /** Key of the registry for `descriptorSet`. */
  key: string;
  typeName: string;
  input: string | Uint8Array;
}

/**
 * The result of a job. `failure`: the conversion threw, for example because the registry does not contain the
 * type.
 */
export type WorkerResult = { conversion: Conversion<Uint8Array | string> } | { failure: string };

/**
 * Limits on the registries that a thread caches: their number, and the size of their descriptors. A registry takes about 20 times
 * the memory of its descriptors.
 */
const maxRegistries = 16;
const maxDescriptorBytes = 4_194_304;

let registries = new BoundedCache<string, MessageRegistry>(maxRegistries);
let addedBytes = 0;

parentPort?.on('message', (job: WorkerJob) => {
  parentPort?.postMessage(run(job));
});

function run({ kind, key, descriptorSet, typeName, input }: WorkerJob): WorkerResult {
  try {
    const registry = registryOf(key, descriptorSet);
    // The sender checks that the input matches the kind.
    return { conversion: convertInline(kind, { registry, typeName, input }) };
  } catch (error) {
    return { failure: thrownMessage(error) };
  }
}

function registryOf(key: string, descriptorSet: Uint8Array): MessageRegistry {
  const known = registries.get(key);
  if (known) return known;
  addedBytes += descriptorSet.length;
  if (addedBytes > maxDescriptorBytes) {
    registries = new BoundedCache(maxRegistries);
    addedBytes = descriptorSet.length;
  }
  return registries.getOrMake(key, () => createRegistry(descriptorSet));
}
