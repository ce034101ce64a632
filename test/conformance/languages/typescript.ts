import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { ConformanceLanguage } from '../conformance-language.ts';
import { driverEnv, startDriverProcess } from '../driver-process.ts';

/** Runs upon the archive's sources, which Node runs unchanged; the generator's suites check that they compile. */
export const conformanceLanguage: ConformanceLanguage = {
  id: 'typescript',
  toolchain: 'npm',
  async build(archive) {
    const driver = path.join(archive, 'driver.js');
    for (const file of ['driver.js', 'respond.js'])
      await copyFile(path.join(import.meta.dirname, '../drivers/typescript', file), path.join(archive, file));
    return {
      start: ({ env }) =>
        startDriverProcess({ program: process.execPath, args: [driver], cwd: archive, env: driverEnv(env) }),
    };
  },
};
