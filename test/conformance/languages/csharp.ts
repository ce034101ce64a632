import { cp } from 'node:fs/promises';
import path from 'node:path';
import { runDotnet } from '../../support/dotnet.ts';
import type { ConformanceLanguage } from '../conformance-language.ts';
import { driverEnv, startDriverProcess } from '../driver-process.ts';

/** The driver is a project next to the archive's own. */
export const conformanceLanguage: ConformanceLanguage = {
  id: 'csharp',
  toolchain: 'dotnet',
  async build(archive) {
    const project = path.join(archive, 'driver');
    await cp(path.join(import.meta.dirname, '../drivers/csharp'), project, { recursive: true });
    // Other suites analyze such an archive; here that is a third of the build.
    const options = ['--output', path.join(project, 'out'), '--property:RunAnalyzers=false'];
    const { code, output } = await runDotnet(['build', project, ...options], archive);
    if (code !== 0) throw new Error(`the C# driver does not compile:\n${output}`);
    return {
      start: ({ env }) =>
        startDriverProcess({
          program: 'dotnet',
          args: [path.join(project, 'out', 'Driver.dll')],
          cwd: archive,
          env: driverEnv(env),
        }),
    };
  },
};
