import { cp, copyFile } from 'node:fs/promises';
import path from 'node:path';
import { cargoFolder, runCargo } from '../../support/cargo.ts';
import type { ConformanceLanguage } from '../conformance-language.ts';
import { driverEnv, startDriverProcess } from '../driver-process.ts';

/** The driver is built as one more example of the archive's crate, over its own dependencies and without TLS. */
export const conformanceLanguage: ConformanceLanguage = {
  id: 'rust',
  toolchain: 'rust',
  async build(archive) {
    const folder = await cargoFolder('conformance');
    await cp(archive, folder, { recursive: true });
    await copyFile(
      path.join(import.meta.dirname, '../drivers/rust/driver.rs'),
      path.join(folder, 'examples/conformance_driver.rs'),
    );
    const { code, output } = await runCargo(
      ['build', '--no-default-features', '--example', 'conformance_driver', '--message-format', 'json'],
      { cwd: folder },
    );
    const program = /"executable":("[^"]*conformance_driver[^"]*")/.exec(output)?.[1];
    if (code !== 0 || program === undefined) throw new Error(`cargo built no driver:\n${output}`);
    return {
      start: ({ env }) =>
        startDriverProcess({
          program: JSON.parse(program) as string,
          args: [],
          cwd: folder,
          env: driverEnv(env),
        }),
    };
  },
};
