import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { SdkFile } from '../language.ts';
import { remembering } from '../../specs/remembering.ts';

/** A file as it stands in a zip: everything about it but where. */
export interface ZipEntry {
  /** Its path, ASCII. */
  name: Buffer;
  /** Of the content, before it was packed. */
  crc: number;
  size: number;
  /** 8: deflated, 0: as it is, for what deflating would make no smaller. */
  method: 0 | 8;
  /** One after the other. */
  packed: readonly Uint8Array[];
}

type Packed = Omit<ZipEntry, 'name'>;

/**
 * Of small files: level 6 makes archives 3 % smaller, level 9 a little more, and deflating takes a quarter longer, or half. Of
 * longer ones, which tell of all members and repeat themselves, so that they become a fourteenth: at level 4 they would be 7 % smaller, and take
 * three times as long.
 */
const levels = { small: 4, long: 2 };
const long = 16_384;

/** Equal files give equal entries, by the same release of Node. */
export function zipEntry({ path, content, parts }: SdkFile): ZipEntry {
  const name = Buffer.from(path, 'latin1');
  if (parts !== undefined) return { name, ...packParts(parts) };
  if (typeof content === 'string') return { name, ...pack(Buffer.from(content, 'utf8')) };
  return { name, ...packOnce(content) };
}

/** Runtime files are the same bytes in every archive of a language, and many others in the next one, so each is packed once. */
const packOnce = remembering((content: Uint8Array): Packed => {
  const entry = pack(content);
  return { ...entry, packed: entry.packed.map(ownMemory) };
});

function pack(content: Uint8Array): Packed {
  const entry = { crc: crc32(content), size: content.length };
  const level = content.length < long ? levels.small : levels.long;
  const deflated = deflateRawSync(content, { level });
  return deflated.length < content.length
    ? { ...entry, method: 8, packed: [deflated] }
    : { ...entry, method: 0, packed: [content] };
}

/** A stream of deflated blocks ends with its last one, and those of all parts but the last have none: together they are one. */
const packParts = remembering((parts: readonly Uint8Array[]): Packed => {
  const last = parts.length - 1;
  return {
    crc: parts.reduce((crc, part) => crc32(part, crc), 0),
    size: parts.reduce((size, { length }) => size + length, 0),
    method: 8,
    packed: parts.map((part, index) => (index === last ? deflatedEnd(part) : deflatedPart(part))),
  };
});

const deflatedEnd = remembering((part: Uint8Array) =>
  ownMemory(deflateRawSync(part, { level: levels.small })),
);

const deflatedPart = remembering((part: Uint8Array) =>
  ownMemory(deflateRawSync(part, { level: levels.small, finishFlush: constants.Z_SYNC_FLUSH })),
);

/** zlib answers with the beginning of a buffer of 16 KiB, which would be kept with it. */
function ownMemory(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
