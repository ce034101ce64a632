import { cp } from 'node:fs/promises';
import path from 'node:path';
import { runGo } from '../../../support/go-tools.ts';
import type { SdkBench } from '../sdk-bench.ts';

/** The program is a command of the archive's own module. */
export const sdkBench: SdkBench = {
  toolchain: 'go',
  bareClient: 'net/http',
  async build(archive) {
    await cp(path.join(import.meta.dirname, 'main.go'), path.join(archive, 'bench/main.go'));
    const program = path.join(archive, 'bench/bench');
    const { code, output } = await runGo('go', ['build', '-o', program, './bench'], archive);
    if (code !== 0) throw new Error(`the Go benchmark does not compile:\n${output}`);
    return { program, args: [], cwd: archive };
  },
};
