import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { ConformanceLanguage } from '../conformance-language.ts';
import { driverEnv, startDriverProcess } from '../driver-process.ts';

/** Runs upon the archive's sources, which Node takes as they are; that they compile is held by the generator's own suites. */
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
