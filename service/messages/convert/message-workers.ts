import { limits } from '../../../specs/limits.ts';
import {
  invalidJson,
  type MessageError,
  payloadMismatch,
  undecodableMessage,
} from '../../errors/message-errors.ts';
import type { FairQueue } from '../../work/fair-queue.ts';
import { ThreadMemoryExceeded, WorkerThreads } from '../../work/worker-threads.ts';
import { type Conversion, rejected } from '../conversion.ts';
import type { WorkerJob, WorkerResult } from './conversion-worker.ts';
import { convertInline } from './convert.ts';
import type { ConversionInput, ConversionKind, Conversions } from './convert.ts';
import { isFast } from './estimate-conversion.ts';

/** Who needs a conversion, and until when. */
export interface ConversionCaller {
  /** The tenant whose share of the threads the conversion uses. */
  tenantId: string;
  /** Ends the conversion when the caller leaves. */
  signal?: AbortSignal | undefined;
  /** Epoch milliseconds. */
  deadlineMs?: number | undefined;
  /** The message is the result of an accepted call, so it is never refused because of a full queue. */
  accepted?: boolean | undefined;
}

interface ConversionTask<Kind extends ConversionKind> extends ConversionInput<Kind>, ConversionCaller {
  /** Number of JSON values in the input, if the caller has counted them. Saves an estimate. */
  values?: number | undefined;
}

/** Converts messages without blocking the event loop: fast conversions inline, others on worker threads. */
export interface MessageWorkers {
  /**
   * Converts one message. The result does not depend on the thread that converts it, except that a thread has limited memory.
   *
   * @throws ApiError 429 when the tenant has too much work queued, 503 when the deadline passes
   * @throws Error when the registry does not contain the type, the thread died, the signal aborts, or the workers are closed
   */
  convert<Kind extends ConversionKind>(
    kind: Kind,
    task: ConversionTask<Kind>,
  ): Promise<Conversion<Conversions[Kind]['output']>>;
  /** Terminates the threads. Pending conversions fail. */
  close(): Promise<void>;
}

interface MessageWorkersOptions {
  queue: FairQueue;
  /**
   * Conversions that may take longer run on a thread, in microseconds of processor time. A thread costs about 0.3 ms, and a
   * request that converts its input and output inline blocks others for at most about 20 ms.
   */
  inlineMicros?: number;
  /** Memory of a thread. */
  megabytes?: number;
}

/** Creates workers, which start their threads when they are needed. They do not close `queue`. */
export function createMessageWorkers({
  queue,
  inlineMicros = 10_000,
  megabytes = limits.workThreadMegabytes,
}: MessageWorkersOptions): MessageWorkers {
  const entry = new URL('./conversion-worker.ts', import.meta.url);
  const threads = new WorkerThreads<WorkerJob, WorkerResult>({ entry, megabytes });
  return {
    convert: async (kind, task) => {
      if (inlineMicros > 0 && isFast(kind === 'json-to-bytes', task, inlineMicros)) {
        return convertInline(kind, task);
      }
      const { registry, typeName, input, tenantId, signal, deadlineMs, accepted } = task;
      const { descriptorSet, key } = registry;
      const job: WorkerJob = { kind, descriptorSet, key, typeName, input };
      try {
        const result = await queue.run(tenantId, (end) => threads.run(job, end), {
          signal,
          deadlineMs,
          accepted,
          bytes: input.length,
        });
        if ('failure' in result) throw new Error(result.failure);
        return result.conversion;
      } catch (error) {
        if (error instanceof ThreadMemoryExceeded)
          return rejected(needsMoreMemory(kind, typeName, megabytes));
        throw error;
      }
    },
    close: () => threads.close(),
  };
}

function needsMoreMemory(kind: ConversionKind, typeName: string, megabytes: number): MessageError {
  const detail = `converting the message needs more than ${megabytes} MiB of memory: send a smaller message`;
  switch (kind) {
    case 'json-to-bytes':
      return invalidJson(typeName, detail);
    case 'bytes-to-json':
    case 'check-output':
      return undecodableMessage(typeName, detail);
    case 'check-bytes':
      return payloadMismatch(detail);
  }
}
