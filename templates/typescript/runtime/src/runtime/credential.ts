import { checkedText } from "./checked-text.ts";
import { ConfigurationError } from "./errors.ts";
import { noKey, type TokenProvider } from "./platform.ts";

/** The credential of requests: a fixed API key or a token provider. */
export class Credential {
  readonly #provide: TokenProvider | undefined;
  #key: string | Promise<string> | undefined;

  /** Throws a `ConfigurationError` if the key is malformed. */
  constructor(source: string | TokenProvider) {
    if (typeof source === "function") this.#provide = source;
    else this.#key = checkedKey(source);
  }

  /** Resolves to the current key. Rejects with a `ConfigurationError`. */
  key(): string | Promise<string> {
    return (this.#key ??= this.#ask(false));
  }

  /**
   * Replaces a rejected key. Returns false if the key is fixed. Concurrent
   * rejections call the provider once.
   */
  async renew(refused: string): Promise<boolean> {
    if (this.#provide === undefined) return false;
    const held = this.key();
    if ((await held) === refused && this.#key === held)
      this.#key = this.#ask(true);
    return true;
  }

  #ask(refresh: boolean): Promise<string> {
    const asked = this.#provided(refresh);
    // The next call tries a failed provider again.
    asked.catch(() => {
      if (this.#key === asked) this.#key = undefined;
    });
    return asked;
  }

  async #provided(refresh: boolean): Promise<string> {
    let token: string | undefined;
    try {
      token = await this.#provide?.({ refresh });
    } catch (cause) {
      throw new ConfigurationError(
        `the token provider failed: ${String(cause)}`,
        { cause },
      );
    }
    return checkedKey(token);
  }
}

function checkedKey(key: string | undefined): string {
  if (!key) throw new ConfigurationError(noKey);
  // Validated here because the error of fetch would contain the key.
  return checkedText("the API key", key);
}
