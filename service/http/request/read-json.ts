import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../../../specs/limits.ts';
import type { Family } from '../../../specs/operations/operation.ts';
import { invalidBody } from '../../errors/request-errors.ts';
import type { MemoryShare } from '../held-memory.ts';
import { type JsonBounds, JsonScan } from './json-scan.ts';
import { readBody } from './read-body.ts';

/** The text of a JSON body within its bounds, not yet parsed. */
export interface JsonText {
  bytes: Buffer;
  /** Number of values in it. */
  values: number;
  /** The text of a requested member, without surrounding white space. */
  member(name: string): { start: number; end: number; bytes: Buffer; values: number } | undefined;
}

interface ReadOptions {
  maxBytes: number;
  family: Family;
  memory: MemoryShare;
  bounds: JsonBounds;
  /** Keys of the outermost object that are found without parsing it. With it, a key of that object must not occur twice. */
  members?: readonly string[] | undefined;
  /** Whether to refuse a body in which a key occurs twice in any object. */
  uniqueKeys?: boolean;
  /** Called while the rest of the body arrives, once for each member that has arrived. Throws to refuse the body. */
  onMember?: (name: string, text: Buffer) => void;
}

const common = {
  nesting: limits.jsonNesting,
  numberBytes: limits.jsonNumberBytes,
  keyBytes: limits.jsonKeyBytes,
};

export const messageBounds: JsonBounds = { ...common, values: limits.messageValues };
export const managementBounds: JsonBounds = { ...common, values: limits.managementValues };

/** Reads a body and holds it to the bounds of JSON at each chunk. Does not parse it. */
export async function readJson(
  request: IncomingMessage,
  response: ServerResponse,
  { maxBytes, family, memory, bounds, members, uniqueKeys = false, onMember }: ReadOptions,
): Promise<JsonText> {
  const scan = new JsonScan({ bounds, names: members, uniqueKeys });
  let seen = 0;
  const bytes = await readBody(request, response, {
    maxBytes,
    family,
    memory,
    inspect: (body) => {
      const problem = scan.advance(body);
      if (problem !== undefined) throw invalidBody(family, problem);
      if (!onMember || scan.members.size === seen) return;
      for (const [name, { start, end }] of [...scan.members].slice(seen)) {
        onMember(name, body.subarray(start, end));
      }
      seen = scan.members.size;
    },
  });
  return jsonText(bytes, scan);
}

/** Scans a whole text. For text that does not arrive as a body. */
export function scanJson(
  bytes: Buffer,
  { family, bounds, members }: Pick<ReadOptions, 'family' | 'bounds' | 'members'>,
): JsonText {
  const scan = new JsonScan({ bounds, names: members });
  const problem = scan.advance(bytes);
  if (problem !== undefined) throw invalidBody(family, problem);
  return jsonText(bytes, scan);
}

function jsonText(bytes: Buffer, { values, members }: JsonScan): JsonText {
  return {
    bytes,
    values,
    member: (name) => {
      const found = members.get(name);
      return found && { ...found, bytes: bytes.subarray(found.start, found.end) };
    },
  };
}
