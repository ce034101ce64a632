import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A file that pages load. */
export interface PageAsset {
  /** `<name>.<hash>.<extension>`. The name changes with the bytes, so browsers may cache the file forever. */
  file: string;
  /** `text/css; charset=utf-8` */
  contentType: string;
  /** Returns the bytes in a content coding. Compresses them once, on first use. */
  bytes(encoding: AssetEncoding): Promise<Buffer>;
}

/** A content coding of HTTP. `identity`: not compressed. */
export type AssetEncoding = 'br' | 'gzip' | 'identity';

/** Names that pages use for the files. */
export type AssetName =
  'pages.css' | 'keys.js' | 'flows.js' | 'readable.js' | 'try-it.js' | 'pauses.js' | 'reference.js';

/** The files that pages load. They stay in memory. */
export interface PageAssets {
  /** Returns the path of a file, relative to the address of the service. */
  path(name: AssetName): string;
  /** Finds a file by the last segment of its path. */
  find(file: string): PageAsset | undefined;
}

const sources: Readonly<Record<AssetName, URL>> = {
  'pages.css': new URL('./assets/pages.css', import.meta.url),
  'keys.js': new URL('./assets/keys.js', import.meta.url),
  'flows.js': new URL('./assets/flows.js', import.meta.url),
  'readable.js': new URL('./assets/readable.js', import.meta.url),
  'try-it.js': new URL('./assets/try-it.js', import.meta.url),
  'pauses.js': new URL('./assets/pauses.js', import.meta.url),
  // Scalar's API reference as a single file without further dependencies.
  'reference.js': new URL('./js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference')),
};

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** Higher levels take three times as long for 2 % smaller files. */
const brotliQuality = 6;

const compress = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};

/** Reads the files: four megabytes, in a few milliseconds. */
export async function loadPageAssets(): Promise<PageAssets> {
  const names = Object.keys(sources) as AssetName[];
  const assets = new Map(
    await Promise.all(
      names.map(async (name) => [name, toAsset(name, await readFile(sources[name]))] as const),
    ),
  );
  const byFile = new Map([...assets.values()].map((asset) => [asset.file, asset]));
  return {
    path: (name) => `/docs/assets/${assets.get(name)?.file ?? name}`,
    find: (file) => byFile.get(file),
  };
}

function toAsset(name: AssetName, source: Buffer): PageAsset {
  const [base = '', extension = ''] = name.split('.');
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const made = new Map<AssetEncoding, Promise<Buffer>>([['identity', Promise.resolve(source)]]);
  return {
    file: `${base}.${hash}.${extension}`,
    contentType: contentTypes[extension] ?? 'application/octet-stream',
    bytes: (encoding) => {
      const bytes = made.get(encoding) ?? compress[encoding as keyof typeof compress](source);
      made.set(encoding, bytes);
      return bytes;
    },
  };
}
