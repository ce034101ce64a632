import path from 'node:path/posix';
import type { SdkFile } from '../../language.ts';

/**
 * Bundles `dist/esm/` to a minified classic script that sets one global.
 * @param files compiled files of an archive.
 */
export async function classicScript(files: readonly SdkFile[], globalName: string): Promise<SdkFile> {
  const esbuild = await import('esbuild');
  const modules = new Map(files.map((file) => [file.path, String(file.content)]));
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
          bundle.onResolve({ filter: /./ }, ({ path: name, importer }) => ({
            path: path.join(path.dirname(importer), name),
            namespace: 'archive',
          }));
          bundle.onLoad({ filter: /./, namespace: 'archive' }, ({ path: file }) => ({
            contents: modules.get(file) ?? '',
          }));
        },
      },
    ],
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error('the bundler wrote no script');
  return { path: 'dist/iife/index.js', content: script.text };
}
