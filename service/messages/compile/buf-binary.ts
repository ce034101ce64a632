import { createRequire } from 'node:module';

const packages: Readonly<Record<string, string>> = {
  'darwin arm64': '@bufbuild/buf-darwin-arm64/bin/buf',
  'darwin x64': '@bufbuild/buf-darwin-x64/bin/buf',
  'linux arm64': '@bufbuild/buf-linux-aarch64/bin/buf',
  'linux x64': '@bufbuild/buf-linux-x64/bin/buf',
  'win32 arm64': '@bufbuild/buf-win32-arm64/bin/buf.exe',
  'win32 x64': '@bufbuild/buf-win32-x64/bin/buf.exe',
};

/**
 * Returns the path of the native `buf` binary. The launcher of `@bufbuild/buf` runs it as a grandchild process, so a timeout would
 * kill the launcher and leave the compiler running.
 */
export function bufBinary(): string {
  const path = packages[`${process.platform} ${process.arch}`];
  if (path === undefined)
    throw new Error(`@bufbuild/buf has no binary for ${process.platform} ${process.arch}`);
  const fromBuf = createRequire(createRequire(import.meta.url).resolve('@bufbuild/buf/package.json'));
  return fromBuf.resolve(path);
}
