import { posix } from 'node:path';
import type { SdkFile } from '../../language.ts';

/**
 * Bundles `dist/esm/` to a minified classic script that sets one global.
 * @param files compiled files of an archive.
 */
export async function classicScript(files: readonly SdkFile[], globalName: string): Promise<SdkFile> {
  const esbuild = await import('esbuild');
  const modules = new Map(files.map(({ path, content }) => [path, String(content)]));
  const { outputFiles } = await esbuild.build({
    entryPoints: ['dist/esm/index.js'],
    bundle: true,
    minify: true,
    format: 'iife',
    globalName,
    target: 'es2022',
    legalComments: 'none',
    write: false,
    plugins: [
      {
        name: 'archive',
        setup(bundle) {
          bundle.onResolve({ filter: /./ }, ({ path, importer }) => ({
            path: posix.join(posix.dirname(importer), path),
            namespace: 'archive',
          }));
          bundle.onLoad({ filter: /./, namespace: 'archive' }, ({ path }) => ({
            contents: modules.get(path) ?? '',
          }));
        },
      },
    ],
  });
  // Ends the process of the bundler, which otherwise stays until this one ends.
  await esbuild.stop();
  const [script] = outputFiles;
  if (script === undefined) throw new Error('the bundler wrote no script');
  return { path: 'dist/iife/index.js', content: script.text };
}
