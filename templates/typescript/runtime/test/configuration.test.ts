import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { Connection } from "../src/runtime/connection.ts";
import { ConfigurationError } from "../src/runtime/errors.ts";
import type { FetchInit } from "../src/runtime/fetch.ts";
import type { ClientOptions, RequestHeaders } from "../src/runtime/options.ts";
import { connectTo, testKey } from "./connecting.ts";

/** A connection that records its request instead of sending it. */
async function sent(
  options: ClientOptions,
  headers?: RequestHeaders,
): Promise<FetchInit & { url: string }> {
  let seen: (FetchInit & { url: string }) | undefined;
  const connection = new Connection(
    {
      ...options,
      fetch: (url, init) => {
        seen = { ...init, url };
        return Promise.resolve(new Response("{}"));
      },
    },
    "acme-text/1.0.0",
  );
  await connection.send("/invocations/v1/x", "{}", { headers });
  assert.ok(seen);
  return seen;
}

describe("a connection", () => {
  it("reads the API key and base URL from the environment", async () => {
    const saved = { ...process.env };
    try {
      process.env["SVC_API_KEY"] = testKey;
      process.env["SVC_BASE_URL"] = "https://svc.example.com/base/";
      const request = await sent({});
      assert.equal(
        request.url,
        "https://svc.example.com/base/invocations/v1/x",
      );
      assert.equal(request.headers["authorization"], `Bearer ${testKey}`);
    } finally {
      process.env = saved;
    }
  });

  it("identifies the package and sends additional headers", async () => {
    const request = await sent(
      {
        apiKey: testKey,
        baseUrl: "https://svc.example.com",
        headers: { "X-Team": "a", "X-None": undefined },
      },
      { "x-call": "b" },
    );
    assert.equal(request.headers["x-svc-client"], "acme-text/1.0.0");
    assert.equal(request.headers["x-team"], "a");
    assert.equal("x-none" in request.headers, false);
    assert.equal(request.headers["x-call"], "b");
    assert.equal(request.headers["authorization"], `Bearer ${testKey}`);
  });

  it("sets no cache mode, which some Workers reject", async () => {
    const baseUrl = "https://svc.example.com";
    assert.equal("cache" in (await sent({ apiKey: testKey, baseUrl })), false);
  });

  it("appends itself to the User-Agent", async () => {
    const options = { apiKey: testKey, baseUrl: "https://svc.example.com" };
    const { headers } = await sent(options);
    assert.equal(headers["user-agent"], "acme-text/1.0.0");
    const own = await sent(options, { "User-Agent": "shop/2" });
    assert.equal(own.headers["user-agent"], "shop/2 acme-text/1.0.0");
  });

  it("works without access to the environment", async () => {
    const { env } = process;
    try {
      process.env = new Proxy(env, {
        get() {
          throw new Error("Requires env access, run again with --allow-env");
        },
      });
      const baseUrl = "https://svc.example.com";
      const request = await sent({ apiKey: testKey, baseUrl });
      assert.equal(request.headers["authorization"], `Bearer ${testKey}`);
    } finally {
      process.env = env;
    }
  });

  it("accepts Headers and lists of headers", async () => {
    const baseUrl = "https://svc.example.com";
    const headers = new Headers({ "X-Team": "a" });
    const request = await sent({ apiKey: testKey, baseUrl, headers }, [
      ["X-Call", "b"],
    ]);
    assert.equal(request.headers["x-team"], "a");
    assert.equal(request.headers["x-call"], "b");
    const once = new Map([["X-Once", "c"]]).entries();
    const third = await sent({ apiKey: testKey, baseUrl }, once);
    assert.equal(third.headers["x-once"], "c");
  });

  const misspelt: object = { timeoutMS: 5 };
  const mistakes: [string, ClientOptions, RegExp][] = [
    ["no key", { apiKey: "" }, /SVC_API_KEY/],
    ["a key with a line break", { apiKey: `${testKey}\n` }, /visible ASCII/],
    ["no address", { baseUrl: "" }, /SVC_BASE_URL/],
    [
      "an address that is no URL",
      { baseUrl: "localhost:8080" },
      /must be an http\(s\) URL/,
    ],
    [
      "an address with a password",
      { baseUrl: "https://a:b@svc.example.com" },
      /without user/,
    ],
    [
      "an address with a query",
      { baseUrl: "https://svc.example.com?a=1" },
      /query/,
    ],
    ["half a retry", { maxRetries: 0.5 }, /maxRetries/],
    ["a negative delay", { retryDelayMs: -1 }, /retryDelayMs/],
    ["a budget that is not a number", { retryBudget: NaN }, /retryBudget/],
    ["a time of nothing", { attemptTimeoutMs: 0 }, /attemptTimeoutMs/],
    ["an unknown option", misspelt, /unknown option "timeoutMS"/],
  ];
  const wrong = (options: object): ClientOptions => options;
  mistakes.push(
    ["a time that is text", wrong({ timeoutMs: "5000" }), /timeoutMs/],
    ["a time that is true", wrong({ timeoutMs: true }), /timeoutMs/],
    ["a delay that is text", wrong({ retryDelayMs: "5" }), /retryDelayMs/],
    ["a header of null", wrong({ headers: { "x-a": null } }), /x-a/],
    ["a header of two lines", { headers: { "x-a": "1\n2" } }, /x-a/],
    [
      "the header of the key",
      { headers: { Authorization: "a" } },
      /cannot be set/,
    ],
    [
      "the header of the idempotency key",
      { headers: [["Idempotency-Key", "a"]] },
      /"Idempotency-Key" cannot be set/,
    ],
    ...["Accept", "content-type", "Last-Event-ID", "X-Svc-Client"].map(
      (name): [string, ClientOptions, RegExp] => [
        `the header ${name}`,
        { headers: { [name]: "a" } },
        new RegExp(`"${name}" cannot be set`),
      ],
    ),
  );
  for (const [mistake, options, message] of mistakes)
    it(`rejects ${mistake}`, () => {
      assert.throws(
        () => connectTo({ baseUrl: "https://svc.example.com" }, options),
        (error) =>
          error instanceof ConfigurationError &&
          message.test(error.message) &&
          !error.message.includes(testKey),
      );
    });

  it("rejects a call header that the package sets", async () => {
    const connection = connectTo({ baseUrl: "https://svc.example.com" });
    const headers = { accept: "text/html" };
    const call = connection.send("/x", "{}", { headers });
    await assert.rejects(call, ConfigurationError);
  });

  it("accepts a signal from another realm", async () => {
    const listeners = new Set<() => void>();
    const foreign = {
      aborted: false,
      reason: "left",
      addEventListener: (_: string, listener: () => void) =>
        listeners.add(listener),
    };
    const signal = foreign as unknown as AbortSignal;
    const fetch = (): Promise<never> => new Promise(() => undefined);
    const connection = connectTo({ baseUrl: "http://svc.invalid" }, { fetch });
    const call = connection.send("/x", "{}", { signal });
    listeners.forEach((abort) => abort());
    await assert.rejects(call, { name: "AbortedError", cause: "left" });
    const wrong = {} as AbortSignal;
    const refused = connection.send("/x", "{}", { signal: wrong });
    await assert.rejects(refused, ConfigurationError);
  });

  it("rejects an invalid idempotency key", async () => {
    const call = connectTo({ baseUrl: "https://svc.example.com" }).send(
      "/x",
      "{}",
      {
        idempotencyKey: "a\nb",
      },
    );
    await assert.rejects(call, ConfigurationError);
  });
});
