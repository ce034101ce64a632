import { checkedText } from "./checked-text.ts";
import type { Deadline } from "./deadline.ts";
import { ConfigurationError, ConnectionError } from "./errors.ts";
import { noKey, type TokenProvider } from "./platform.ts";

/** The credential of requests: a fixed API key or a token provider. */
export interface Credential {
  /** The key, if it is fixed. */
  readonly fixed: string | undefined;
  /**
   * Resolves to the current key, or to another one if the service refused it.
   * Concurrent calls ask the provider once. Rejects with a `ConfigurationError`
   * if the key is malformed, and with a `ConnectionError` if the provider fails.
   */
  key(deadline: Deadline, refused?: string): Promise<string>;
}

/** Throws a `ConfigurationError` if the key is malformed. */
export function credentialOf(source: string | TokenProvider): Credential {
  const fixed = typeof source === "string" ? checkedKey(source) : undefined;
  let held: Promise<string> | undefined;
  /** What `held` has resolved to. */
  let token: string | undefined;
  return {
    fixed,
    async key(deadline, refused = "") {
      if (fixed) return fixed;
      const refresh = token === refused;
      if (refresh) token = held = undefined;
      const asked = (held ??= Promise.resolve({ refresh }).then(
        source as TokenProvider,
      ));
      try {
        return (token = await deadline.guard(
          // An error for each call, which gets the details of its own.
          asked.then(
            (given) => checkedKey(given, "token returned no key"),
            (cause) => {
              throw new ConnectionError(
                `the token provider failed: ${String(cause)}`,
                { cause },
              );
            },
          ),
        ));
      } catch (error) {
        // The next call asks a provider again that failed, or hangs.
        if (held === asked) held = undefined;
        throw error;
      }
    },
  };
}

function checkedKey(key: string | undefined, none = noKey): string {
  if (!key) throw new ConfigurationError(none);
  // Validated here because the error of fetch would contain the key.
  return checkedText("the API key", key);
}
