import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ArchiveScene } from './archive-scene.ts';

/** Compilers that consumers may use, by the name of their installed package, oldest first. */
const compilers = {
  ts49: 'typescript@4.9.5',
  ts50: 'typescript@5.0.4',
  ts54: 'typescript@5.4.5',
  newest: 'typescript@latest',
} as const;

/** How a program is compiled: its file, `module` and `moduleResolution`. */
type Setting = [file: string, module: string, resolution: string];

const node16: Setting[] = [
  ['consumer.mts', 'node16', 'node16'],
  ['consumer.cts', 'node16', 'node16'],
];
const bundler: Setting = ['consumer.ts', 'esnext', 'bundler'];

/**
 * Type-checks a program, library declarations included, with the compilers that consumers may use, and returns their reports.
 * @param settings `esm` for packages without CommonJS.
 */
export async function typeCheckConsumers(
  scene: ArchiveScene,
  program: string,
  settings: 'esm' | 'esm and cjs',
): Promise<string[]> {
  const { project } = scene;
  const names = Object.entries(compilers).map(([name, version]) => `${name}@npm:${version}`);
  const installed = await scene.run(project, `npm install --no-save --ignore-scripts ${names.join(' ')}`);
  if (installed.code !== 0) return [installed.output];
  const problems: string[] = [];
  for (const compiler of Object.keys(compilers)) {
    const used = [...node16.slice(0, settings === 'esm' ? 1 : 2), ...(compiler === 'ts49' ? [] : [bundler])];
    for (const [file, module, moduleResolution] of used) {
      const folder = path.join(project, `${compiler}-${moduleResolution}-${path.extname(file).slice(1)}`);
      await mkdir(folder);
      await writeFile(path.join(folder, file), program);
      const compilerOptions = {
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
        module,
        moduleResolution,
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
      };
      const config = JSON.stringify({ compilerOptions, include: [file] });
      await writeFile(path.join(folder, 'tsconfig.json'), config);
      const tsc = path.join(project, 'node_modules', compiler, 'bin/tsc');
      const { code, output } = await scene.run(folder, `node ${tsc} -p .`);
      if (code !== 0) problems.push(`${path.basename(folder)}: ${output}`);
    }
  }
  return problems;
}
