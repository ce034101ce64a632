import type { Conversion } from '../conversion.ts';
import { ConversionThreads } from './conversion-threads.ts';
import { convertInline } from './convert.ts';
import type { ConversionKind, Conversions, ConversionTask } from './convert.ts';

/** Converts messages without blocking the event loop: small ones inline, large ones on worker threads. */
export interface MessageWorkers {
  /**
   * Converts one message. The result does not depend on the thread that converts it.
   *
   * @throws Error when the registry does not contain the type, the thread died, or the workers are closed
   */
  convert<Kind extends ConversionKind>(
    kind: Kind,
    task: ConversionTask<Kind>,
  ): Promise<Conversion<Conversions[Kind]['output']>>;
  /** Terminates the threads. Pending conversions fail. */
  close(): Promise<void>;
}

interface MessageWorkersOptions {
  /** Maximum number of threads. */
  size?: number;
  /** Inputs of at least this many bytes, or characters of a string, go to a thread. For smaller ones the transfer costs more. */
  workerFrom?: number;
}

export function createMessageWorkers({
  size = 2,
  workerFrom = 1_048_576,
}: MessageWorkersOptions = {}): MessageWorkers {
  const threads = new ConversionThreads(size);
  return {
    convert: async (kind, task) => {
      if (task.input.length < workerFrom) return convertInline(kind, task);
      const { registry, typeName, input } = task;
      const { descriptorSet, key } = registry;
      const result = await threads.run({ kind, descriptorSet, key, typeName, input });
      if ('failure' in result) throw new Error(result.failure);
      return result.conversion;
    },
    close: () => threads.close(),
  };
}
