import { createHash } from 'node:crypto';
import { namesEntity } from '../entity-tag.ts';
import type { Reply } from '../request-context.ts';

/** A document to send. */
export interface SentDocument {
  content: string | Uint8Array;
  /** SHA-256 of the content in hex; worked out when absent. */
  sha256?: string;
  /** `application/json; charset=utf-8` */
  contentType: string;
  /** `public`: the same for everybody; `private`: for callers with a key that may see it. */
  audience: 'public' | 'private';
}

/**
 * A document as an answer: with its `ETag`, and 304 without a body for who has it already. It may change with a release or a
 * setting, so whoever keeps it asks each time. `HEAD` goes the same way; the server leaves the body out.
 */
export function presentDocument(
  { content, sha256, contentType, audience }: SentDocument,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Reply {
  const tag = sha256 ?? createHash('sha256').update(content).digest('hex');
  const common = { ETag: `"${tag}"`, 'Cache-Control': `${audience}, no-cache` };
  if (namesEntity(headers['if-none-match'], tag)) return { status: 304, headers: common };
  return { status: 200, body: content, headers: { ...common, 'Content-Type': contentType } };
}
