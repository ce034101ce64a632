import { dirname, join } from 'node:path/posix';
import type { BuildOptions } from 'esbuild';
import type { SdkFile } from '../../language.ts';
import type { SourceModule } from './source-modules.ts';

/**
 * Bundles `src/index.ts` and the modules that it imports into one file, beside its source map if the options ask for one.
 * @param path of the file in the archive.
 */
export async function bundledModules(
  modules: readonly SourceModule[],
  path: string,
  options: Pick<BuildOptions, 'format' | 'globalName' | 'keepNames' | 'minify' | 'platform' | 'sourcemap'>,
): Promise<SdkFile[]> {
  const esbuild = await import('esbuild');
  const texts = new Map(modules.map((module) => [module.path, module.text]));
  const { outputFiles } = await esbuild.build({
    ...options,
    entryPoints: ['src/index.ts'],
    outfile: path,
    bundle: true,
    target: 'es2022',
    legalComments: 'none',
    // Keeps the compiler's messages out of the service's log. An error rejects the promise.
    logLevel: 'silent',
    sourcesContent: false,
    write: false,
    plugins: [
      {
        name: 'archive',
        setup(bundle) {
          bundle.onResolve({ filter: /./ }, ({ path: name, importer }) => ({
            path: join(dirname(importer), name),
            namespace: 'archive',
          }));
          bundle.onLoad({ filter: /./, namespace: 'archive' }, ({ path: name }) => {
            const contents = texts.get(name);
            return contents === undefined ? undefined : { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  const root = '../'.repeat(path.split('/').length - 1);
  return outputFiles.map((file) =>
    file.path.endsWith('.map')
      ? { path: `${path}.map`, content: file.text.replaceAll('"archive:', `"${root}`) }
      : { path, content: file.text },
  );
}
