import { copyFile, cp } from 'node:fs/promises';
import path from 'node:path';
import { cargoFolder, runCargo } from '../../../support/cargo.ts';
import type { SdkBench } from '../sdk-bench.ts';

/** The program is an optimized example of the archive's crate, with the same dependencies and without TLS. */
export const sdkBench: SdkBench = {
  toolchain: 'rust',
  bareClient: 'reqwest',
  async build(archive) {
    const folder = await cargoFolder('bench');
    await cp(archive, folder, { recursive: true });
    await copyFile(path.join(import.meta.dirname, 'bench.rs'), path.join(folder, 'examples/sdk_bench.rs'));
    const { code, output } = await runCargo(
      ['build', '--release', '--no-default-features', '--example', 'sdk_bench', '--message-format', 'json'],
      { cwd: folder },
    );
    const program = /"executable":("[^"]*sdk_bench[^"]*")/.exec(output)?.[1];
    if (code !== 0 || program === undefined) throw new Error(`cargo built no benchmark:\n${output}`);
    return { program: JSON.parse(program) as string, args: [], cwd: folder };
  },
};
