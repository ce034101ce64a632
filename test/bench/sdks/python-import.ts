import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { pythonVenv } from '../../support/python-venv.ts';
import { missingToolchain } from '../../support/toolchains.ts';
import { median } from '../statistics.ts';
import { withSdk } from './measure-sdks.ts';

const program =
  'import time, httpx; start = time.process_time_ns(); import acme_acme_text; print(time.process_time_ns() - start)';

/**
 * Returns the processor time in milliseconds that importing the Python SDK takes when httpx is loaded and the bytecode
 * is cached: the median of `processes` new processes. Undefined without Python.
 */
export async function measurePythonImport(processes: number): Promise<number | undefined> {
  if (missingToolchain('python') !== undefined) return undefined;
  const { python } = await pythonVenv();
  return withSdk('python', async (archive) => {
    const options = {
      cwd: path.join(archive, 'src'),
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '' },
    };
    const runs: number[] = [];
    // The first run compiles the bytecode and does not count.
    for (let run = 0; run <= processes; run++) {
      const { stdout } = await promisify(execFile)(python, ['-c', program], options);
      runs.push(Number(stdout) / 1e6);
    }
    return median(runs.slice(1));
  });
}
