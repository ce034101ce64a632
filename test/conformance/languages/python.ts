import path from 'node:path';
import { pythonVenv } from '../../support/python-venv.ts';
import type { ConformanceLanguage } from '../conformance-language.ts';
import { driverEnv, startDriverProcess } from '../driver-process.ts';

/** One driver, whose argument says which of the two clients it calls. */
export const conformanceLanguage: ConformanceLanguage = {
  id: 'python',
  toolchain: 'python',
  flavours: ['sync', 'async'],
  async build(archive) {
    const venv = await pythonVenv();
    const driver = path.join(import.meta.dirname, '../drivers/python/driver.py');
    return {
      start: ({ env, flavour = 'sync' }) =>
        startDriverProcess({
          program: venv.python,
          args: ['-X', 'faulthandler', driver, flavour],
          cwd: archive,
          env: driverEnv({
            ...env,
            PYTHONPATH: path.join(archive, 'src'),
            PYTHONUTF8: '1',
            PYTHONDONTWRITEBYTECODE: '1',
          }),
          stacksBy: 'SIGABRT',
        }),
    };
  },
};
