import { createHash } from 'node:crypto';
import { namesEntity } from '../entity-tag.ts';
import type { Reply } from '../request-context.ts';

/** A document to send. */
export interface DocumentText {
  text: string;
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
  { text, contentType, audience }: DocumentText,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Reply {
  const tag = createHash('sha256').update(text).digest('hex');
  const common = { ETag: `"${tag}"`, 'Cache-Control': `${audience}, no-cache` };
  if (namesEntity(headers['if-none-match'], tag)) return { status: 304, headers: common };
  return { status: 200, body: text, headers: { ...common, 'Content-Type': contentType } };
}
