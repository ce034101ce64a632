import { checkedText } from "./checked-text.ts";
import { ConfigurationError } from "./errors.ts";
import { noKey, type TokenProvider } from "./platform.ts";

/** The key that requests carry: one that stays, or what a provider gives. */
export class Credential {
  readonly #provide: TokenProvider | undefined;
  #key: string | Promise<string> | undefined;

  /** Throws a `ConfigurationError` for a key that no request can carry. */
  constructor(source: string | TokenProvider) {
    if (typeof source === "function") this.#provide = source;
    else this.#key = checkedKey(source);
  }

  /** The key of the next request; rejects with a `ConfigurationError`. */
  key(): string | Promise<string> {
    return (this.#key ??= this.#ask(false));
  }

  /**
   * Has the key replaced that the service refused; false when it is the only
   * one. Calls that are refused together ask the provider once.
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
    // A provider that failed is asked again by the next call.
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
  // Checked here, since fetch would put the key into its own error.
  return checkedText("the API key", key);
}
