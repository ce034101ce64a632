import { attempt, exchanges } from "./attempt.ts";
import { callOptions, checkedOptions } from "./check-options.ts";
import { Deadline } from "./deadline.ts";
import { type SvcError, UnauthorizedError, withDetails } from "./errors.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import {
  type Outgoing,
  outgoing,
  type RequestBody,
  type RequestFacts,
} from "./outgoing.ts";
import { redactError } from "./redact.ts";
import type { RawResponse } from "./response.ts";
import { isRetryable, retryDelayMs } from "./retry-policy.ts";
import { resolveSettings, type Settings } from "./settings.ts";

/**
 * Returns the settings of a connection, for modules that are loaded on demand.
 * Not part of the public API, because the settings provide the key.
 */
export let settingsOf: (connection: Connection) => Settings;

/**
 * A connection to the service: base URL, API key and retry policy. Used by
 * clients and standalone functions. Never shows the key.
 */
export class Connection {
  readonly #settings: Settings;

  static {
    settingsOf = (connection) => connection.#settings;
  }

  /**
   * `sdk` identifies this package to the service. Throws a
   * `ConfigurationError`.
   */
  constructor(options: ClientOptions, sdk: string) {
    this.#settings = resolveSettings(options, sdk);
  }

  /** Timeout in milliseconds: of the call, of the client, or `usual`. */
  timeoutMs(options: CallOptions, usual = 60_000): number {
    const given = checkedOptions(options, callOptions);
    return given.timeoutMs ?? this.#settings.timeoutMs ?? usual;
  }

  /**
   * Posts JSON to a path, or reads the path if the body is null, and retries
   * transient failures. Returns the response if its status is 2xx. Throws a
   * `SvcError` otherwise.
   */
  async send(
    path: string,
    body: RequestBody | null,
    options: CallOptions = {},
    facts?: RequestFacts,
  ): Promise<RawResponse> {
    const settings = this.#settings;
    const call = outgoing(settings, path, body, options, facts);
    const { credential, maxRetries, log } = call;
    const deadline = new Deadline(this.timeoutMs(options), call.signal);
    /** Retries, excluding those with a new key and those after load shedding. */
    let retries = 0;
    /** The key that must not be sent again. A fixed key has no replacement. */
    let refused = credential.fixed;
    try {
      for (;;) {
        let key = "";
        deadline.signal.throwIfAborted();
        try {
          key = await credential.key(deadline, refused);
          deadline.signal.throwIfAborted();
          call.attempts++;
          const response = await attempt(call, key, deadline);
          settings.spent = Math.max(
            // A successful retry is refunded.
            settings.spent - (retries ? 10 : 1),
            0,
          );
          return response;
        } catch (error) {
          // Less than the five minutes after which idempotency keys expire.
          const longestRetryMs = 240_000;
          let delayMs = 0;
          let tenths = 0;
          if (!refused && error instanceof UnauthorizedError) refused = key;
          else {
            if (!isRetryable(error) || !maxRetries) throw error;
            // The service is healthy and has said when to retry. Such retries
            // are limited only by the timeout of the call, unless they are quick.
            if (!(
              error.status === 429 && (error.retryAfterMs as number) >= 1_000
            )) {
              tenths = 10;
              retries++;
            }
            delayMs = retryDelayMs(error, retries, call, deadline.remainingMs);
          }
          if (
            retries > maxRetries ||
            delayMs >= deadline.remainingMs ||
            performance.now() + delayMs - call.failedAt > longestRetryMs
          )
            throw error;
          if (settings.spent + tenths > settings.retryBudget * 10) {
            error.message += "; not tried again: the retry budget is empty";
            log?.({ type: "budget-empty", error });
            throw error;
          }
          settings.spent += tenths;
          log?.({ type: "retry", error, delayMs });
          deadline.details = { cause: error };
          await deadline.sleep(delayMs);
        }
      }
    } catch (caught) {
      throw failed(caught as SvcError, call, log);
    } finally {
      deadline.dispose();
    }
  }

  /**
   * Converts a response. Errors of the conversion get the details of the call,
   * without the API key.
   */
  read<T>(response: RawResponse, convert: (response: RawResponse) => T): T {
    try {
      return convert(response);
    } catch (error) {
      const [apiKey, log] = exchanges.get(response) ?? [];
      throw failed(redactError(error as SvcError, apiKey), response, log);
    }
  }
}

/** Details of a call in its errors. */
interface CallDetails {
  readonly attempts: number;
  readonly idempotencyKey: string;
  readonly executionId?: string | undefined;
}

/** Adds the details of a call to its error, and logs it. */
function failed(
  error: SvcError,
  { attempts, idempotencyKey, executionId = error.executionId }: CallDetails,
  log: Outgoing["log"],
): SvcError {
  withDetails(error, { attempts, idempotencyKey, executionId });
  log?.({ type: "failure", error, executionId });
  return error;
}
