import type { Clock } from '../clock.ts';
import type { ApiKey } from '../store/api-keys.ts';
import { isOriginTaken } from '../store/app-key-origins.ts';
import type { Database } from '../store/database.ts';

const form = /^[a-z][a-z0-9+.-]*:\/\/(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/;

/**
 * Whether text is an origin as browsers send it: `scheme://host[:port]`, in lower case, without the scheme's own port. Schemes of
 * apps (`capacitor://localhost`) are origins too.
 */
export function isOrigin(text: string): boolean {
  if (!form.test(text) || !URL.canParse(text)) return false;
  // Of other schemes the URL standard knows no origin.
  return !/^https?:/.test(text) || new URL(text).origin === text;
}

/** Whether an app key may be presented by pages of the origin; one without a list takes all (SPEC.md, App key). */
export function takesOrigin({ allowedOrigins }: Pick<ApiKey, 'allowedOrigins'>, origin: string): boolean {
  return allowedOrigins.length === 0 || allowedOrigins.includes(origin);
}

/** The origins of all app keys together, by which browsers are answered before a key is known. */
export interface OriginUnion {
  /** Whether the app key of any tenant takes the origin. */
  includes(origin: string): Promise<boolean>;
}

/** How long an origin stays in the union after its last key let go of it, milliseconds. */
const keptMs = 30_000;
const mostKept = 10_000;

/**
 * Remembers the origins that were found, for a short time; one that is not remembered is looked up, so that a new key's origins
 * count at once (SPEC.md, Authentication 7). Who asks for the same at once shares a look-up.
 */
export function createOriginUnion(db: Database, clock: Clock): OriginUnion {
  const found = new Map<string, number>();
  const asked = new Map<string, Promise<boolean>>();

  const lookUp = async (origin: string): Promise<boolean> => {
    const now = clock.now();
    const taken = await isOriginTaken(db, origin, now);
    if (taken) {
      if (found.size >= mostKept) found.clear();
      found.set(origin, now + keptMs);
    } else {
      found.delete(origin);
    }
    return taken;
  };

  return {
    includes: (origin) => {
      if (!isOrigin(origin)) return Promise.resolve(false);
      if (clock.now() < (found.get(origin) ?? 0)) return Promise.resolve(true);
      const known = asked.get(origin);
      if (known) return known;
      const looking = lookUp(origin).finally(() => asked.delete(origin));
      asked.set(origin, looking);
      return looking;
    },
  };
}
