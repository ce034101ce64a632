import { cp } from 'node:fs/promises';
import path from 'node:path';
import { runGo } from '../../support/go-tools.ts';
import type { ConformanceLanguage } from '../conformance-language.ts';
import { driverEnv, startDriverProcess } from '../driver-process.ts';

/** The driver is a command of the archive's own module. */
export const conformanceLanguage: ConformanceLanguage = {
  id: 'go',
  toolchain: 'go',
  async build(archive) {
    await cp(path.join(import.meta.dirname, '../drivers/go'), path.join(archive, 'driver'), {
      recursive: true,
    });
    const program = path.join(archive, 'driver', 'driver');
    const { code, output } = await runGo('go', ['build', '-o', program, './driver'], archive);
    if (code !== 0) throw new Error(`the Go driver does not compile:\n${output}`);
    return {
      start: ({ env }) =>
        startDriverProcess({
          program,
          args: [],
          cwd: archive,
          env: driverEnv({ ...env, GOTRACEBACK: 'all' }),
          stacksBy: 'SIGQUIT',
        }),
    };
  },
};
