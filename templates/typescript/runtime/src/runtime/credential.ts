import { checkedText } from "./checked-text.ts";
import type { Deadline } from "./deadline.ts";
import { ConfigurationError, ConnectionError } from "./errors.ts";
import { noKey, type TokenProvider } from "./platform.ts";

/** The credential of requests: a fixed API key or a token provider. */
export interface Credential {
  /** The key, if it is fixed. */
  readonly fixed: string | undefined;
  /**
   * Resolves to the current key, or to a new key if the service rejected it.
   * Concurrent calls share one call of the provider. Rejects with a
   * `ConfigurationError` if the key is malformed, and with a `ConnectionError`
   * if the provider fails.
   */
  key(deadline: Deadline, refused?: string): Promise<string>;
}

/** Throws a `ConfigurationError` if the key is malformed. */
export function credentialOf(source: string | TokenProvider): Credential {
  const fixed = typeof source === "string" ? checkedKey(source) : undefined;
  let held: Promise<string> | undefined;
  /** The resolved value of `held`. */
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
          // Each call gets its own error, with its own details.
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
        // If the provider fails or hangs, the next call tries it again.
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
