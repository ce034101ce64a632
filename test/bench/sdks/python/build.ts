import path from 'node:path';
import { pythonVenv } from '../../../support/python-venv.ts';
import type { SdkBench } from '../sdk-bench.ts';

export const sdkBench: SdkBench = {
  toolchain: 'python',
  bareClient: 'httpx',
  async build(archive) {
    const { python } = await pythonVenv();
    return {
      program: python,
      args: [path.join(import.meta.dirname, 'bench.py')],
      cwd: archive,
      env: { PYTHONPATH: path.join(archive, 'src'), PYTHONUTF8: '1' },
    };
  },
};
