import type { Clock } from '../clock.ts';
import type { ApiKey } from '../store/api-keys.ts';
import { isOriginAllowed } from '../store/app-key-origins.ts';
import type { Database } from '../store/database.ts';

const form = /^[a-z][a-z0-9+.-]*:\/\/(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/;

/**
 * Reports whether a text is an origin as browsers send it: `scheme://host[:port]`, in lower case, without the default port. App
 * schemes such as `capacitor://localhost` are allowed.
 */
export function isOrigin(text: string): boolean {
  if (!form.test(text) || !URL.canParse(text)) return false;
  // The URL standard defines origins only for these schemes.
  return !/^https?:/.test(text) || new URL(text).origin === text;
}

/** Reports whether pages of the origin may use an app key. A key without origins allows every origin. */
export function takesOrigin({ allowedOrigins }: Pick<ApiKey, 'allowedOrigins'>, origin: string): boolean {
  return allowedOrigins.length === 0 || allowedOrigins.includes(origin);
}

/** The origins of all app keys, for requests whose key is not known: preflights and refused keys. */
export interface OriginUnion {
  /** Reports whether an app key of any tenant allows the origin. */
  includes(origin: string): Promise<boolean>;
}

/** Looks each origin up, so new and revoked keys count at once. */
export function createOriginUnion(db: Database, clock: Clock): OriginUnion {
  return {
    includes: async (origin) => isOrigin(origin) && (await isOriginAllowed(db, origin, clock.now())),
  };
}
