/**
 * What differs from platform to platform, in one file: a page knows nothing that
 * it is not told.
 */

/** Whom a client calls, and by which key. */
export interface Credentials {
  /** App key, which anybody may see who can see the page. */
  apiKey?: string | undefined;
  /** Gives a key or token instead, such as that of somebody who has signed in. */
  token?: TokenProvider | undefined;
  /** Address of the service. */
  baseUrl?: string | undefined;
}

/**
 * Gives the key that requests carry. Its answer is kept until the service
 * refuses it with 401; it is then asked once more, with `refresh`, and the call
 * is tried again at once.
 */
export type TokenProvider = (request: {
  /** The last token was refused: one from a cache will not do. */
  readonly refresh: boolean;
}) => string | Promise<string>;

/** What is missing, in the words of the platform. */
export const noKey = "no key: pass the option apiKey or token";
export const noBaseUrl = "no address of the service: pass the option baseUrl";

/** Headers that say how a request travels: browsers leave them out by themselves. */
export const refuseHeader: (name: string) => void = () => {
  // Nothing is left to refuse.
};

/** What the platform knows without being told. */
export function givenCredentials(): { apiKey?: string; baseUrl?: string } {
  return {};
}
