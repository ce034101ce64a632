import { createRuntimeMover } from '../render/runtime-mover.ts';
import type { PackageNames } from './package-names.ts';

/** The package that the sources of the runtime are in, as a folder and by its name. */
const runtimeFolder = '/svc/runtime/';
const runtimePackage = /^(package |import (?:static )?)svc\.runtime\b/gm;

/** Where a file of the runtime stands: beneath the package of the archive. */
export function runtimePath(path: string, { folder }: PackageNames): string {
  return path.replace(runtimeFolder, `/${folder}/`);
}

/** A source of the runtime in the package of the archive, so that two SDKs may stand beside each other in one program. */
export const runtimeContent = createRuntimeMover((text, packageName) =>
  text.replace(runtimePackage, `$1${packageName}`),
);
