import assert from "node:assert/strict";
import { describe, it } from "node:test";

import * as errors from "../src/runtime/errors.ts";
import type { Fetch } from "../src/runtime/fetch.ts";
import { connectTo, testKey } from "./connecting.ts";
import { type Step, withServer } from "./scripted-server.ts";

/** Returns the error of a call to a server with one scripted response. */
async function failure(step: Step): Promise<errors.SvcError> {
  return withServer([step], async (server) => {
    try {
      await connectTo(server, { maxRetries: 0 }).send("/node", "{}");
    } catch (error) {
      assert.ok(error instanceof errors.SvcError);
      return error;
    }
    return assert.fail("the call succeeded");
  });
}

/** The error of a call whose transport throws. */
async function thrown(error: Error): Promise<errors.SvcError> {
  const fetch = (): Promise<never> => Promise.reject(error);
  const options = { fetch, maxRetries: 0 };
  const connection = connectTo({ baseUrl: "http://svc.invalid" }, options);
  try {
    await connection.send("/node", "{}");
  } catch (failure) {
    assert.ok(failure instanceof errors.ConnectionError);
    return failure;
  }
  throw new Error("nothing was thrown");
}

describe("the error of a rejected call", () => {
  const cases: [number, Record<string, unknown>, typeof errors.StatusError][] =
    [
      [400, { error_message: "invalid JSON" }, errors.BadRequestError],
      [401, { error: "unauthorized" }, errors.UnauthorizedError],
      [403, { error: "forbidden" }, errors.ForbiddenError],
      [403, { error: "tenant_suspended" }, errors.TenantSuspendedError],
      [403, { error: "app_key_graph_denied" }, errors.AppKeyGraphDeniedError],
      [404, { error_message: "node not found" }, errors.NotFoundError],
      [413, { error: "payload_too_large" }, errors.PayloadTooLargeError],
      [422, { error_message: "no words" }, errors.NodeFailedError],
      [429, { error: "rate limit exceeded" }, errors.RateLimitedError],
      [429, { error: "quota_exceeded" }, errors.QuotaExceededError],
      [500, { error_message: "boom" }, errors.ServerError],
      [502, { error_message: "calling node" }, errors.UpstreamUnavailableError],
      [503, { error: "upstream_unavailable" }, errors.UpstreamUnavailableError],
      [418, {}, errors.StatusError],
      [302, {}, errors.StatusError],
    ];
  for (const [status, body, expected] of cases)
    it(`is a ${expected.name} on ${String(status)} ${JSON.stringify(body)}`, async () => {
      const error = await failure({ status, body: JSON.stringify(body) });
      assert.equal(error.constructor, expected);
      assert.equal(error.name, expected.name);
      assert.equal(error.status, status);
      assert.deepEqual(error.body, body);
    });

  it("has the details of the response", async () => {
    const error = await failure({
      status: 422,
      headers: { "x-execution-id": "ab12", "retry-after": "7" },
      body: '{"error_message": "no words"}',
    });
    assert.equal(error.message, "no words (HTTP 422, execution ab12)");
    assert.equal(error.executionId, "ab12");
    assert.equal(error.retryAfterMs, 7000);
    assert.equal(error.headers["content-type"], "application/json");
  });

  it("has the request id, also in its message", async () => {
    const headers = { "x-request-id": "7d1f", "x-execution-id": "ab12" };
    const refused = await failure({ status: 404, headers });
    assert.equal(refused.requestId, "7d1f");
    assert.match(
      refused.message,
      /\(HTTP 404, execution ab12, request 7d1f\)$/,
    );
    const cut = await failure({
      cut: "middle",
      headers,
      body: '{"a": "half"}',
    });
    assert.equal(cut.requestId, "7d1f");
    assert.equal(cut.executionId, "ab12");
    await withServer([{ headers }, {}], async (server) => {
      const connection = connectTo(server);
      assert.equal((await connection.send("/node", "{}")).requestId, "7d1f");
      const other = await connection.send("/node", "{}");
      assert.equal(other.requestId, undefined);
    });
  });

  it("matches the status even if the body is truncated", async () => {
    const body = '{"error_message": "half of this"}';
    const error = await failure({ status: 400, cut: "middle", body });
    assert.equal(error.constructor, errors.BadRequestError);
    assert.equal(error.status, 400);
    const cut = { status: 503, cut: "middle" as const, body };
    await withServer([cut, {}], async (server) => {
      const { attempts } = await connectTo(server).send("/node", "{}");
      assert.equal(attempts, 2);
    });
  });

  it("waits at most 5 seconds for the body", async (test) => {
    test.mock.timers.enable({ apis: ["setTimeout"] });
    const signals: AbortSignal[] = [];
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      {
        fetch: (_, { signal }) => {
          signals.push(signal);
          setImmediate(() => {
            test.mock.timers.tick(5_000);
          });
          const text = (): Promise<string> => new Promise(() => undefined);
          return Promise.resolve({ status: 400, headers: new Map(), text });
        },
      },
    );
    await assert.rejects(
      connection.send("/node", "{}"),
      errors.BadRequestError,
    );
    assert.equal(signals[0]?.aborted, true);
  });

  it("is a timeout if the body does not arrive in time", async () => {
    const fetch: Fetch = () =>
      Promise.resolve({
        status: 400,
        headers: new Headers(),
        text: () => new Promise(() => undefined),
      });
    const connection = connectTo({ baseUrl: "http://svc.invalid" }, { fetch });
    await assert.rejects(
      connection.send("/node", "{}", { timeoutMs: 30 }),
      errors.TimedOutError,
    );
  });

  it("has the number of attempts and the idempotency key", async () => {
    await withServer([{ status: 500 }], async (server) => {
      const options = { maxRetries: 1, idempotencyKey: "order-7" };
      const call = connectTo(server).send("/node", "{}", options);
      await assert.rejects(call, { attempts: 2, idempotencyKey: "order-7" });
    });
  });

  it("names the target of a redirect", async () => {
    const location = "https://elsewhere.example.com/";
    const error = await failure({ status: 308, headers: { location } });
    assert.equal(
      error.message,
      `unexpected redirect to ${location} (HTTP 308)`,
    );
  });

  it("has the code of the service, or the code of its class", async () => {
    for (const [step, code] of [
      [{ status: 429, body: '{"error":"quota_exceeded"}' }, "quota_exceeded"],
      [{ status: 429, body: '{"error":"slow down"}' }, "rate_limited"],
      [
        {
          status: 409,
          body: '{"error":"PAUSE_NOT_WAITING","code":"pause_not_waiting"}',
        },
        "pause_not_waiting",
      ],
      [{ cut: "before" }, "connection"],
    ] as const)
      assert.equal((await failure(step)).code, code);
  });

  it("gives the reason when several addresses are unreachable", async () => {
    const cause = Object.assign(new AggregateError([new Error("no")]), {
      code: "ECONNREFUSED",
    });
    const error = await thrown(new TypeError("fetch failed", { cause }));
    assert.equal(error.message, "cannot reach the service: ECONNREFUSED");
  });

  it("keeps the transport's error, unless it contains the key", async () => {
    class OfflineError extends Error {
      readonly retryable = true;
    }
    const given = new OfflineError("offline");
    assert.equal((await thrown(given)).cause, given);
    const secret = Object.assign(new OfflineError("offline"), {
      request: { key: testKey },
    });
    const { cause } = await thrown(secret);
    assert.ok(cause instanceof Error);
    assert.notEqual(cause, secret);
    assert.equal(cause.stack, secret.stack);
  });

  it('maps "error" to a class even with a different code', async () => {
    const body = '{"error":"quota_exceeded","code":"daily_quota_exceeded"}';
    const error = await failure({ status: 429, body });
    assert.equal(error.name, "QuotaExceededError");
    assert.equal(error.code, "daily_quota_exceeded");
  });

  it("is recognized across copies of the package", async () => {
    const error = await failure({ status: 500 });
    const url = new URL("../src/runtime/errors.ts?copy", import.meta.url);
    const copy = (await import(
      import.meta.url.endsWith(".ts")
        ? url.href
        : url.href.replace(".ts?", ".js?")
    )) as typeof errors;
    assert.equal(error instanceof copy.SvcError, false);
    assert.ok(copy.isSvcError(error));
    assert.equal(copy.isSvcError(new Error("other")), false);
  });

  it("reads the execution id and Retry-After from the body", async () => {
    const error = await failure({
      status: 503,
      body: '{"error": "quota_unavailable", "execution_id": "cd34", "retry_after_seconds": 5}',
    });
    assert.equal(error.executionId, "cd34");
    assert.equal(error.retryAfterMs, 5000);
  });

  it("reads Retry-After as a date", async () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    const error = await failure({
      status: 429,
      headers: { "retry-after": date },
    });
    const wait = error.retryAfterMs ?? 0;
    assert.ok(wait > 20_000 && wait <= 30_000, String(wait));
  });

  it("keeps a body that is not JSON as text", async () => {
    const error = await failure({ status: 502, body: "<h1>Bad gateway</h1>" });
    assert.equal(error.body, "<h1>Bad gateway</h1>");
    assert.match(error.message, /Bad gateway/);
  });
});

describe("a lost connection", () => {
  it("is a ConnectionError before the response", async () => {
    const error = await failure({ cut: "before" });
    assert.equal(error.constructor, errors.ConnectionError);
    assert.equal(error.status, undefined);
  });

  it("is an InterruptedResponseError during the response", async () => {
    const error = await failure({
      cut: "middle",
      body: '{"text": "half of this"}',
    });
    assert.equal(error.constructor, errors.InterruptedResponseError);
    assert.ok(error instanceof errors.ConnectionError);
    assert.equal(error.status, 200);
  });

  it("includes the message of the transport", async () => {
    const connection = connectTo(
      { baseUrl: "http://svc.invalid" },
      { maxRetries: 0, fetch: () => Promise.reject(new Error("no route")) },
    );
    await assert.rejects(connection.send("/node", "{}"), {
      name: "ConnectionError",
      message: "cannot reach the service: no route",
    });
  });
});
