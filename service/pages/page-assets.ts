import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A file that pages load. */
export interface PageAsset {
  /** `<name>.<hash>.<extension>`: other bytes, another name, so that it may be kept for good. */
  file: string;
  /** `text/css; charset=utf-8` */
  contentType: string;
  /** The bytes by content coding, compressed when they are first asked for, and once. */
  bytes(encoding: AssetEncoding): Promise<Buffer>;
}

export type AssetEncoding = 'br' | 'gzip' | 'identity';

/** Names of the files as pages know them. */
export type AssetName = 'pages.css' | 'try-it.js' | 'reference.js';

export interface PageAssets {
  /** Path below the service's address, as pages link it. */
  path(name: AssetName): string;
  /** By the last part of that path. */
  find(file: string): PageAsset | undefined;
}

const sources: Readonly<Record<AssetName, URL>> = {
  'pages.css': new URL('./assets/pages.css', import.meta.url),
  'try-it.js': new URL('./assets/try-it.js', import.meta.url),
  // The whole of Scalar's API reference in one file, which loads nothing further.
  'reference.js': new URL('./js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference')),
};

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

/** Above it brotli takes three times as long for 2 % less. */
const brotliQuality = 6;

const compress = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};

/** Reads the files; a few milliseconds for four megabytes. */
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
