import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { SdkBench } from '../sdk-bench.ts';

/** Runs on the archive's sources, which Node executes directly. */
export const sdkBench: SdkBench = {
  toolchain: 'npm',
  bareClient: 'fetch',
  async build(archive) {
    const program = path.join(archive, 'bench.js');
    await copyFile(path.join(import.meta.dirname, 'bench.js'), program);
    return { program: process.execPath, args: [program], cwd: archive };
  },
};
