import type { SdkFile } from '../../language.ts';

/** A TypeScript module of an archive. */
export interface SourceModule {
  /** Path in the archive, which begins with `src/`. */
  path: string;
  text: string;
}

/** Returns the modules in `src/` of an archive. */
export function sourceModules(files: readonly SdkFile[]): SourceModule[] {
  return files
    .filter(({ path }) => path.startsWith('src/'))
    .map(({ path, content }) => ({
      path,
      text: typeof content === 'string' ? content : new TextDecoder().decode(content),
    }));
}
