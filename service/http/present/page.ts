import { namesEntity } from '../entity-tag.ts';
import type { AssetEncoding, PageAsset } from '../../pages/page-assets.ts';
import type { Reply } from '../request-context.ts';
import { presentDocument } from './document.ts';

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * What a page may do: run the scripts of this service and call it, and nothing else. Published text that got past every escape
 * would still run nothing. Styles may be inline, since the API reference sets them so.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const everyAnswer = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

export interface SentPage {
  text: string;
  /** 404: something is missing, and the page says so; it is not kept. */
  status?: 200 | 404;
  /** Whether a form of it may be sent, to this service. */
  sendsForm?: boolean;
}

/** A page as an answer, with its `ETag`. */
export function presentPage(
  { text, status = 200, sendsForm = false }: SentPage,
  headers: RequestHeaders,
): Reply {
  const forms = `form-action ${sendsForm ? "'self'" : "'none'"}`;
  const page = { ...everyAnswer, 'Content-Security-Policy': `${policy}; ${forms}` };
  const contentType = 'text/html; charset=utf-8';
  if (status === 404) {
    return {
      status,
      body: text,
      headers: { ...page, 'Content-Type': contentType, 'Cache-Control': 'no-store' },
    };
  }
  const reply = presentDocument({ content: text, contentType, audience: 'public' }, headers);
  return { ...reply, headers: { ...reply.headers, ...page } };
}

/** A file of pages, kept for a year: its name changes with its bytes. */
export async function presentAsset(asset: PageAsset, headers: RequestHeaders): Promise<Reply> {
  const encoding = chooseEncoding(String(headers['accept-encoding'] ?? ''));
  const tag = `${asset.file}-${encoding}`;
  const common = {
    ...everyAnswer,
    ETag: `"${tag}"`,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  };
  if (namesEntity(headers['if-none-match'], tag)) return { status: 304, headers: common };
  return {
    status: 200,
    body: await asset.bytes(encoding),
    headers: {
      ...common,
      'Content-Type': asset.contentType,
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    },
  };
}

/** The smallest coding that the caller names and does not rule out (`;q=0`). */
function chooseEncoding(acceptEncoding: string): AssetEncoding {
  const accepted = acceptEncoding
    .split(',')
    .filter((one) => !/;\s*q=0(\.0*)?\s*$/.test(one))
    .map((one) => one.split(';')[0]?.trim().toLowerCase());
  return (['br', 'gzip'] as const).find((coding) => accepted.includes(coding)) ?? 'identity';
}
