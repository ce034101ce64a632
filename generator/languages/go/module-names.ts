import type { SdkModel } from '../../model/sdk-model.ts';

/** Module path and package name of a Go SDK. */
export interface ModuleNames {
  /** Module path, which is also the import path: `go.svc.internal/acme/acme-text/v2`. */
  path: string;
  /** Package name: `acmetext`. */
  packageName: string;
  /** Import line: starts with the name if the path does not end in it. */
  importLine: string;
}

/**
 * Returns names that follow from the handle, the slug and the major version. From version 2 on, the path ends in `/v2`, as Go
 * requires.
 */
export function moduleNames({ client, semver, goModulePrefix }: SdkModel): ModuleNames {
  const major = Number.parseInt(semver, 10);
  const slug = pathElement(client.slug);
  const path = [goModulePrefix, pathElement(client.handle), slug, ...(major > 1 ? [`v${major}`] : [])].join(
    '/',
  );
  const packageName = toPackageName(client.slug);
  const isTold = packageName === slug && major <= 1;
  return { path, packageName, importLine: isTold ? `"${path}"` : `${packageName} "${path}"` };
}

/**
 * Elements with a meaning in a module path: folders that other modules cannot import, version suffixes, and devices of
 * Windows (https://go.dev/ref/mod#module-path).
 */
const taken = /^(internal|vendor|testdata|v\d+|con|prn|aux|nul|com\d|lpt\d)$/;

function pathElement(name: string): string {
  return taken.test(name) ? `${name}-sdk` : name;
}

/**
 * Names that a package cannot have (the go command ignores `documentation`, and no file can import `init`), and names in
 * the programs of an archive.
 */
const reserved: ReadonlySet<string> = new Set(
  (
    'documentation init break case chan const continue default defer else fallthrough for func go goto if import interface map package range ' +
    'return select struct switch type var any append bool byte copy error false float32 float64 int int32 int64 len make new ' +
    'nil panic print string true uint32 uint64 main svc protojson context errors fmt http httptest io iter json log os reflect slog ' +
    'strings testing time answer arguments body call caller client ctx data err event execution failure given got graph id input ' +
    'message method name output path read record request response run sample samples sent server t text transport want write writer'
  ).split(' '),
);

function toPackageName(slug: string): string {
  const name = slug.replaceAll('-', '').replace(/^\d/, 'n$&');
  // The tool treats a package with this name as a test package.
  return reserved.has(name) || name.endsWith('_test') ? `${name}sdk` : name;
}
