import { createHash } from 'node:crypto';
import { namesEntity } from '../answer/entity-tag.ts';
import { RawJson } from '../answer/raw-json.ts';
import type { RequestHeaders } from '../request-headers.ts';

/** A document to send. */
interface SentDocument {
  content: string | Uint8Array;
  /** SHA-256 of the content in hex; computed if absent. */
  sha256?: string;
  /** `public`: the same for every caller; `private`: for callers whose key may see it. */
  audience: 'public' | 'private';
}

/** Headers of an entity, as a type that further headers can be merged into. */
type EntityHeaders = Record<string, string>;

interface NotModified {
  status: 304;
  headers: EntityHeaders;
}

/**
 * Presents a JSON document with its `ETag`, or 304 to a caller that already has it. A document may change with a release or a
 * setting, so caches must revalidate it.
 */
export function presentJsonDocument(
  document: SentDocument,
  requestHeaders: RequestHeaders,
): NotModified | { status: 200; body: RawJson; headers: EntityHeaders } {
  const { headers, isKnown } = entityOf(document, requestHeaders);
  return isKnown ? { status: 304, headers } : { status: 200, body: new RawJson(document.content), headers };
}

/** The same for a document of another media type, for example `text/html; charset=utf-8`. */
export function presentDocument(
  document: SentDocument & { contentType: string },
  requestHeaders: RequestHeaders,
):
  | NotModified
  | {
      status: 200;
      kind: 'bytes';
      body: string | Uint8Array;
      contentType: string;
      headers: EntityHeaders;
    } {
  const { headers, isKnown } = entityOf(document, requestHeaders);
  const { content, contentType } = document;
  return isKnown
    ? { status: 304, headers }
    : { status: 200, kind: 'bytes', body: content, contentType, headers };
}

function entityOf(
  { content, sha256, audience }: SentDocument,
  requestHeaders: RequestHeaders,
): { headers: EntityHeaders; isKnown: boolean } {
  const tag = sha256 ?? createHash('sha256').update(content).digest('hex');
  return {
    headers: { ETag: `"${tag}"`, 'Cache-Control': `${audience}, no-cache` },
    isKnown: namesEntity(requestHeaders['if-none-match'], tag),
  };
}
