import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";

import {
  ConfigurationError,
  ConnectionError,
  type SvcError,
  TimedOutError,
  UnauthorizedError,
} from "../src/runtime/errors.ts";
import type { LogEvent } from "../src/runtime/logger.ts";
import type { TokenProvider } from "../src/runtime/platform.ts";
import { connectTo, testKey } from "./connecting.ts";
import { withServer } from "./scripted-server.ts";

const refused = { status: 401, body: '{"error":"unauthorized"}' };

/** Provides `token-1`, `token-2` and so on, and records its calls. */
function numberedTokens(): { token: TokenProvider; asked: boolean[] } {
  const asked: boolean[] = [];
  const token: TokenProvider = async ({ refresh }) => {
    asked.push(refresh);
    const given = `token-${String(asked.length)}`;
    await Promise.resolve();
    return given;
  };
  return { token, asked };
}

describe("a token provider", () => {
  it("is called once for many calls", async () => {
    await withServer([{}], async (server) => {
      const { token, asked } = numberedTokens();
      const connection = connectTo(server, { apiKey: undefined, token });
      await Promise.all([
        connection.send("/a", null),
        connection.send("/b", null),
      ]);
      await connection.send("/c", null);
      assert.deepEqual(asked, [false]);
      assert.deepEqual(
        server.requests.map(({ headers }) => headers.authorization),
        ["Bearer token-1", "Bearer token-1", "Bearer token-1"],
      );
    });
  });

  it("fails each call with a separate error", async () => {
    const token = (): never => {
      throw new Error("signed out");
    };
    const server = { baseUrl: "http://svc.invalid" };
    const connection = connectTo(server, { apiKey: undefined, token });
    const keys = ["k-1", "k-2"];
    const calls = keys.map((idempotencyKey) =>
      connection.send("/a", null, { idempotencyKey, maxRetries: 0 }),
    );
    const settled = await Promise.allSettled(calls);
    const errors = settled.map(
      (each) => (each as PromiseRejectedResult).reason,
    );
    assert.deepEqual(
      errors.map((error) => (error as SvcError).idempotencyKey),
      keys,
    );
  });

  it("can be synchronous", async () => {
    await withServer([{}], async (server) => {
      const options = { apiKey: undefined, token: () => "plain" };
      await connectTo(server, options).send("/a", null);
      assert.equal(server.requests[0]?.headers.authorization, "Bearer plain");
    });
  });

  it("is called again when its token is rejected, and the call is retried", async () => {
    await withServer([refused, {}], async (server) => {
      const { token, asked } = numberedTokens();
      const options = { apiKey: undefined, token, maxRetries: 0 };
      const response = await connectTo(server, options).send("/a", "{}");
      assert.equal(response.attempts, 2);
      assert.deepEqual(asked, [false, true]);
      const [first, second] = server.requests;
      assert.equal(second?.headers.authorization, "Bearer token-2");
      assert.equal(
        second.headers["idempotency-key"],
        first?.headers["idempotency-key"],
      );
    });
  });

  it("is called again at most once per call", async () => {
    await withServer([refused], async (server) => {
      const { token, asked } = numberedTokens();
      const connection = connectTo(server, { apiKey: undefined, token });
      await assert.rejects(connection.send("/a", null), UnauthorizedError);
      assert.equal(server.requests.length, 2);
      assert.deepEqual(asked, [false, true]);
    });
  });

  it("is called once for calls that are rejected concurrently", async () => {
    await withServer([refused, refused, {}], async (server) => {
      const { token, asked } = numberedTokens();
      const connection = connectTo(server, { apiKey: undefined, token });
      await Promise.all([
        connection.send("/a", null),
        connection.send("/b", null),
      ]);
      assert.deepEqual(asked, [false, true]);
    });
  });

  it("does not count against the retries of a call", async () => {
    const script = [{ status: 503 }, refused, { status: 503 }, {}];
    await withServer(script, async (server) => {
      const { token } = numberedTokens();
      const connection = connectTo(server, { apiKey: undefined, token });
      const response = await connection.send("/a", null);
      assert.equal(response.attempts, 4);
    });
  });

  it("fails the call when it throws, and is called again by the next", async () => {
    await withServer([{}], async (server) => {
      let calls = 0;
      const token: TokenProvider = () => {
        calls += 1;
        if (calls === 1) throw new Error("signed out");
        return "token";
      };
      const options = { apiKey: undefined, token, maxRetries: 0 };
      const connection = connectTo(server, options);
      await assert.rejects(connection.send("/a", null), (error) => {
        assert.ok(error instanceof ConnectionError);
        assert.match(error.message, /signed out/);
        return true;
      });
      assert.equal(server.requests.length, 0);
      await connection.send("/a", null);
    });
  });

  it("is retried like a connection when it fails", async () => {
    await withServer([{}], async (server) => {
      let calls = 0;
      const token: TokenProvider = () => {
        calls += 1;
        if (calls < 3) throw new Error("read ECONNRESET");
        return "token";
      };
      const options = { apiKey: undefined, token };
      const response = await connectTo(server, options).send("/a", null);
      assert.equal(response.attempts, 1);
      assert.equal(calls, 3);
    });
  });

  it("is called again by the next call if it hangs", async () => {
    await withServer([{}], async (server) => {
      let calls = 0;
      const token = (): Promise<string> => {
        calls += 1;
        return calls === 1
          ? new Promise(() => undefined)
          : Promise.resolve("token");
      };
      const connection = connectTo(server, { apiKey: undefined, token });
      const call = connection.send("/a", null, { timeoutMs: 20 });
      await assert.rejects(call, TimedOutError);
      await connection.send("/a", null);
      assert.equal(calls, 2);
    });
  });

  it("is mentioned in the error when it returns no token", async () => {
    for (const given of ["", undefined] as string[])
      await withServer([{}], async (server) => {
        const options = { apiKey: undefined, token: () => given };
        await assert.rejects(connectTo(server, options).send("/a", null), {
          name: "ConfigurationError",
          message: "token returned no key",
        });
        assert.equal(server.requests.length, 0);
      });
  });

  it("must return a valid header value", async () => {
    for (const given of ["", "two words", "line\nbreak"])
      await withServer([{}], async (server) => {
        const options = { apiKey: undefined, token: () => given };
        const call = connectTo(server, options).send("/a", null);
        await assert.rejects(call, ConfigurationError);
        assert.equal(server.requests.length, 0);
      });
  });

  it("is awaited within the timeout of the call", async () => {
    await withServer([{}], async (server) => {
      const token = (): Promise<string> => new Promise(() => undefined);
      const options = { apiKey: undefined, token, timeoutMs: 20 };
      const call = connectTo(server, options).send("/a", null);
      await assert.rejects(call, { name: "TimedOutError" });
    });
  });

  it("cannot be combined with a key", () => {
    const server = { baseUrl: "http://svc.invalid" };
    assert.throws(
      () => connectTo(server, { token: () => testKey }),
      ConfigurationError,
    );
  });

  it("provides tokens that are redacted in log events and errors", async () => {
    await withServer(
      [{ status: 400, body: JSON.stringify(testKey) }],
      async (server) => {
        const events: LogEvent[] = [];
        const connection = connectTo(server, {
          apiKey: undefined,
          token: () => testKey,
          logger: (event) => events.push(event),
        });
        await assert.rejects(connection.send("/a", null), (error) => {
          const all = [error, events, connection];
          const shown = inspect(all, { depth: Infinity });
          return shown.includes("[redacted]") && !shown.includes(testKey);
        });
      },
    );
  });
});
