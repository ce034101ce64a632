import type { AssetEncoding, PageAsset } from '../../pages/page-assets.ts';
import { namesEntity } from '../answer/entity-tag.ts';
import { accepts } from '../request/accepts.ts';
import { presentDocument } from './document.ts';
import type { RequestHeaders } from '../request-headers.ts';

/**
 * The policy of every page: it may run the scripts of this service and call this service. Even published text that escaped its
 * quoting could not run a script. Inline styles are allowed because the API reference uses them.
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

const contentType = 'text/html; charset=utf-8';

interface SentPage {
  text: string;
  /** Allows a form on the page to be sent to this service. */
  sendsForm?: boolean;
}

/** Presents a page with its `ETag`, or 304 to a caller that already has it. */
export function presentPage(
  { text, sendsForm = false }: SentPage,
  requestHeaders: RequestHeaders,
): ReturnType<typeof presentDocument> {
  const answer = presentDocument({ content: text, contentType, audience: 'public' }, requestHeaders);
  return { ...answer, headers: { ...answer.headers, ...pageHeaders(sendsForm) } };
}

/** Presents a page that reports a missing package. */
export function presentMissingPage(text: string) {
  return { status: 404, kind: 'bytes', body: text, contentType, headers: pageHeaders(false) } as const;
}

/** The policy of a page that loads a style sheet, runs no script and sends one form to this service. */
const formPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Presents a page whose address is a secret. */
export function presentSecretPage<Status extends number>(
  status: Status,
  text: string,
  further: Readonly<Record<string, string>> = {},
) {
  const headers = { ...further, ...everyAnswer, 'Content-Security-Policy': formPolicy };
  return { status, kind: 'bytes', body: text, contentType, headers } as const;
}

/**
 * Redirects a browser that has sent a form to a page whose address is a secret, so that it can load the page again without sending
 * the form again.
 */
export function presentFormSent(location: string) {
  return { status: 303, headers: { ...everyAnswer, Location: location } } as const;
}

function pageHeaders(sendsForm: boolean): Record<string, string> {
  const forms = `form-action ${sendsForm ? "'self'" : "'none'"}`;
  return { ...everyAnswer, 'Content-Security-Policy': `${policy}; ${forms}` };
}

/** Presents a file that pages load. Caches may keep it for a year, because its name changes with its bytes. */
export async function presentAsset(asset: PageAsset, headers: RequestHeaders) {
  const encoding = chooseEncoding(String(headers['accept-encoding'] ?? ''));
  const tag = `${asset.file}-${encoding}`;
  const common = {
    ...everyAnswer,
    ETag: `"${tag}"`,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  };
  if (namesEntity(headers['if-none-match'], tag)) return { status: 304, headers: common } as const;
  return {
    status: 200,
    kind: 'bytes',
    body: await asset.bytes(encoding),
    contentType: asset.contentType,
    headers: { ...common, ...(encoding !== 'identity' && { 'Content-Encoding': encoding }) },
  } as const;
}

/** Returns the smallest coding that the caller accepts by name. `;q=0` excludes a coding. */
function chooseEncoding(acceptEncoding: string): AssetEncoding {
  return (['br', 'gzip'] as const).find((coding) => accepts(acceptEncoding, coding)) ?? 'identity';
}
