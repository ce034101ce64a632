import { checkedText } from "./checked-text.ts";
import { ConfigurationError } from "./errors.ts";
import { noKey, type TokenProvider } from "./platform.ts";

/** The credential of requests: a fixed API key or a token provider. */
export interface Credential {
  /** The key, if it is fixed. */
  readonly fixed: string | undefined;
  /** Resolves to the current key. Rejects with a `ConfigurationError`. */
  key(): Promise<string>;
  /**
   * Replaces a rejected key. Returns false if the key is fixed. Concurrent
   * rejections call the provider once.
   */
  renew(refused: string): Promise<boolean>;
}

/** Throws a `ConfigurationError` if the key is malformed. */
export function credentialOf(source: string | TokenProvider): Credential {
  const isFixed = typeof source === "string";
  let held = isFixed ? Promise.resolve(checkedKey(source)) : undefined;
  const ask = (refresh: boolean): Promise<string> => {
    held = Promise.resolve({ refresh })
      .then(source as TokenProvider)
      .then(checkedKey, (cause: unknown) => {
        throw new ConfigurationError(
          `the token provider failed: ${String(cause)}`,
          { cause },
        );
      });
    // The next call tries a failed provider again.
    held.catch(() => {
      held = undefined;
    });
    return held;
  };
  return {
    fixed: isFixed ? source : undefined,
    key: () => held ?? ask(false),
    async renew(refused) {
      const current = held ?? ask(false);
      if (!isFixed && (await current) === refused && held === current)
        await ask(true);
      return !isFixed;
    },
  };
}

function checkedKey(key: string | undefined): string {
  if (!key) throw new ConfigurationError(noKey);
  // Validated here because the error of fetch would contain the key.
  return checkedText("the API key", key);
}
