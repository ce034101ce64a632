import type { SdkFile } from '../../language.ts';

/** A module format: its folder in `dist/`, and the name of the compiler's option. */
const formats = { esm: 'ESNext', cjs: 'CommonJS' } as const;

type ModuleFormat = keyof typeof formats;

/**
 * Compiles `src/` to `dist/<format>/`: modules and declarations, each with a map to its source. Modules are compiled one by one, so
 * nothing is resolved or type-checked here; tests do that for every fixture.
 * @param files files of an archive.
 * @param known compiled modules of the runtime, which archives share: compiling it takes two seconds.
 */
export async function compileSources(
  files: readonly SdkFile[],
  format: ModuleFormat,
  known: Map<string, readonly SdkFile[]>,
): Promise<SdkFile[]> {
  const { default: ts } = await import('typescript');
  const target = ts.ScriptTarget.ES2022;
  return files
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap(({ path, content }) => {
      const source = typeof content === 'string' ? content : new TextDecoder().decode(content);
      // Only the runtime is the same in other archives.
      if (!path.startsWith('src/runtime/')) return compile(path, source);
      const key = `${format} ${path}`;
      const compiled = known.get(key) ?? compile(path, source);
      known.set(key, compiled);
      return compiled;
    });

  function compile(path: string, source: string): readonly SdkFile[] {
    const text = source
      .replace(/^((?:import|export|\}) .*from "\.{1,2}\/.*)\.ts";$/gm, '$1.js";')
      .replace(/(\bimport\("\.{1,2}\/.*)\.ts"\)/g, '$1.js")');
    const module = ts.transpileModule(text, {
      fileName: path,
      reportDiagnostics: true,
      compilerOptions: { target, module: ts.ModuleKind[formats[format]], sourceMap: true },
    });
    const declaration = ts.transpileDeclaration(text, {
      fileName: path,
      reportDiagnostics: true,
      compilerOptions: { target, declarationMap: true, isolatedDeclarations: true, declaration: true },
    });
    const [problem] = [...(module.diagnostics ?? []), ...(declaration.diagnostics ?? [])];
    if (problem !== undefined)
      throw new Error(`${path}: ${ts.flattenDiagnosticMessageText(problem.messageText, '\n')}`);
    const name = path.replace('src/', `dist/${format}/`).replace(/\.ts$/, '');
    return [
      { path: `${name}.js`, content: module.outputText },
      { path: `${name}.js.map`, content: mapTo(path, name, module.sourceMapText) },
      { path: `${name}.d.ts`, content: declaration.outputText },
      { path: `${name}.d.ts.map`, content: mapTo(path, name, declaration.sourceMapText) },
    ];
  }
}

/** A source map that names its source relative to the compiled file. */
function mapTo(source: string, compiled: string, map = '{}'): string {
  const up = '../'.repeat(compiled.split('/').length - 1);
  return JSON.stringify({ ...(JSON.parse(map) as object), sources: [`${up}${source}`] });
}
