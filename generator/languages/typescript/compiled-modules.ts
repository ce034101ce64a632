import type { SourceMap } from 'oxc-transform';
import type { SdkFile } from '../../language.ts';
import type { SourceModule } from './source-modules.ts';

/**
 * Compiles modules to `dist/esm/`: a module and its declarations, each with a map to its source. Modules are compiled one by one, so
 * nothing is resolved or type-checked here; tests do that for every fixture.
 * @throws Error that names the module that cannot be compiled.
 */
export async function compiledModules(modules: readonly SourceModule[]): Promise<SdkFile[]> {
  const { transformSync } = await import('oxc-transform');
  return modules.flatMap(({ path, text }) => {
    const { code, map, declaration, declarationMap, errors } = transformSync(path, withCompiledNames(text), {
      target: 'es2022',
      sourcemap: true,
      typescript: { declaration: { sourcemap: true } },
    });
    const [problem] = errors;
    if (problem !== undefined) throw new Error(`${path}: ${problem.message}`);
    const name = path.replace('src/', 'dist/esm/').replace(/\.ts$/, '');
    return [
      ...withMap(path, `${name}.js`, code, map),
      ...withMap(path, `${name}.d.ts`, declaration, declarationMap),
    ];
  });
}

/** Imports name the compiled modules. */
function withCompiledNames(text: string): string {
  return text
    .replace(/^((?:import|export|\}) .*from "\.{1,2}\/.*)\.ts";$/gm, '$1.js";')
    .replace(/(\bimport\("\.{1,2}\/.*)\.ts"\)/g, '$1.js")');
}

/**
 * Returns a compiled file, and the map that names its source relative to it. The archive contains the source, so the
 * map does not.
 */
function withMap(source: string, path: string, text = '', map?: SourceMap): SdkFile[] {
  const { version, names, mappings } = map ?? { version: 3, names: [], mappings: '' };
  const sources = [`${'../'.repeat(path.split('/').length - 1)}${source}`];
  const name = path.split('/').at(-1) ?? '';
  return [
    { path, content: `${text.trimEnd()}\n//# sourceMappingURL=${name}.map\n` },
    { path: `${path}.map`, content: JSON.stringify({ version, file: name, sources, names, mappings }) },
  ];
}
