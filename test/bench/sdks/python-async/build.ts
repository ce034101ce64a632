import path from 'node:path';
import type { SdkBench } from '../sdk-bench.ts';
import { sdkBench as blocking } from '../python/build.ts';

/** The asyncio client of the same package. */
export const sdkBench: SdkBench = {
  ...blocking,
  language: 'python',
  bareClient: 'httpx (asyncio)',
  async build(archive) {
    return {
      ...(await blocking.build(archive)),
      args: [path.join(import.meta.dirname, 'bench.py')],
    };
  },
};
