import { limits } from '../../../specs/limits.ts';
import { ProtoCompileError } from '../../errors/proto-compile-error.ts';
import type { FairQueue } from '../../work/fair-queue.ts';
import { ThreadMemoryExceeded, WorkerThreads } from '../../work/worker-threads.ts';
import type { CheckedDescriptors } from './check-descriptors.ts';
import type { CheckJob, CheckResult } from './check-worker.ts';
import { type CompiledProtos, compileWith, type ProtoSources } from './compile-protos.ts';

/** Compiles the protos of tenants without blocking the event loop. */
export interface ProtoCompiler {
  /**
   * Compiles when the tenant's turn comes. If the signal aborts, the compiler is killed.
   *
   * @throws ProtoCompileError with every diagnostic and its position
   * @throws ApiError 429 when the tenant has too much work queued, 503 when the compilation takes too long or the caller leaves
   */
  compile(tenantId: string, sources: ProtoSources, signal?: AbortSignal): Promise<CompiledProtos>;
  /** Terminates the threads. */
  close(): Promise<void>;
}

interface ProtoCompilerOptions {
  /** Runs at most `limits.compilersAtOnce` jobs of the kind `compile`. */
  queue: FairQueue;
  /** Memory of a thread that checks descriptors. */
  megabytes?: number;
}

/** Creates a compiler, which starts its threads when they are needed. It does not close `queue`. */
export function createProtoCompiler({
  queue,
  megabytes = limits.workThreadMegabytes,
}: ProtoCompilerOptions): ProtoCompiler {
  const entry = new URL('./check-worker.ts', import.meta.url);
  const threads = new WorkerThreads<CheckJob, CheckResult>({ entry, megabytes });

  const run = async (job: CheckJob, signal: AbortSignal): Promise<CheckedDescriptors> => {
    try {
      const result = await threads.run(job, signal);
      if ('failure' in result) throw new Error(result.failure);
      return result;
    } catch (error) {
      if (!(error instanceof ThreadMemoryExceeded)) throw error;
      const message = `checking the protos needs more than ${megabytes} MiB of memory: split the package`;
      throw new ProtoCompileError([{ file: '', line: 0, column: 0, message }]);
    }
  };

  return {
    compile: (tenantId, sources, signal) => {
      const bytes = Object.values(sources).reduce((sum, { length }) => sum + length, 0);
      const job = (end: AbortSignal): Promise<CompiledProtos> => {
        const checks = {
          scan: async () => (await run({ sources }, end)).diagnostics,
          check: (descriptorSet: Uint8Array) => run({ descriptorSet }, end),
        };
        return compileWith(checks, sources, { signal: end });
      };
      return queue.run(tenantId, job, { kind: 'compile', signal, bytes });
    },
    close: () => threads.close(),
  };
}
