import type { PackageNames } from './package-names.ts';

/** The package of the runtime sources, as a folder and as a name. */
const runtimeFolder = '/svc/runtime/';
const runtimePackage = /^(package |import (?:static )?)svc\.runtime\b/gm;

/** Returns the path of a runtime file in the archive, below the package's folder. */
export function runtimePath(path: string, { folder }: PackageNames): string {
  return path.replace(runtimeFolder, `/${folder}/`);
}

/** Returns a runtime source in the package of the archive, so that one program can use two SDKs. */
export function runtimeContent(text: string, { packageName }: PackageNames): string {
  return text.replace(runtimePackage, `$1${packageName}`);
}
