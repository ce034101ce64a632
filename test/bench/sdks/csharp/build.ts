import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { runDotnet } from '../../../support/dotnet.ts';
import type { SdkBench } from '../sdk-bench.ts';

/** The program is a project next to the archive's own. */
export const sdkBench: SdkBench = {
  toolchain: 'dotnet',
  bareClient: 'HttpClient',
  async build(archive) {
    const project = path.join(archive, 'bench');
    await mkdir(project);
    for (const file of ['Bench.cs', 'Bench.csproj'])
      await copyFile(path.join(import.meta.dirname, file), path.join(project, file));
    const out = path.join(project, 'out');
    const { code, output } = await runDotnet(
      ['build', project, '--configuration', 'Release', '--output', out],
      archive,
    );
    if (code !== 0) throw new Error(`the C# benchmark does not compile:\n${output}`);
    return { program: 'dotnet', args: [path.join(out, 'Bench.dll')], cwd: archive };
  },
};
