// Runs an example in a browser and prints its output:
// node scripts/show-example.js <name> ['<input as JSON>']
// Requires SVC_API_KEY, SVC_BASE_URL, and Chromium or Chrome on the PATH or at
// CHROME_PATH. Without a browser, it prints the URL of the page and keeps
// serving. Set PORT to serve the page at an origin that the app key allows.
// The exit code is 0 if the call succeeded.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** @typedef {{ outcome: string, output: string, error: string }} Outcome */

const [, , name, input] = process.argv;
const {
  SVC_API_KEY: apiKey = "",
  SVC_BASE_URL: baseUrl = "",
  CHROME_PATH: ownBrowser,
  PORT: ownPort = "0",
} = process.env;

/** Sends the outcome of the page's call to the server, once. */
const reporter = `
let isSent = false;
const send = (outcome) => {
  if (isSent) return;
  isSent = true;
  void fetch("/outcome", { method: "POST", body: JSON.stringify(outcome) });
};
const textOf = (id) => document.getElementById(id)?.textContent ?? "";
const report = () => {
  const { outcome } = document.body.dataset;
  if (outcome === "succeeded" || outcome === "failed")
    send({ outcome, output: textOf("output"), error: textOf("error") });
};
const fail = (error) => send({ outcome: "failed", output: "", error });
new MutationObserver(report).observe(document.body, { attributes: true });
addEventListener("error", ({ message }) => {
  fail(message ?? "A file of the page cannot be loaded.");
}, true);
addEventListener("unhandledrejection", ({ reason }) => {
  fail(String(reason));
});
report();
`;

const examples = (await readdir(new URL("../examples", import.meta.url)))
  .filter((file) => file.endsWith(".html"))
  .map((file) => file.replace(".html", ""));
if (name === undefined || !examples.includes(name)) {
  const problem =
    name === undefined ? "The name is missing." : `There is no "${name}".`;
  console.error(`${problem} Examples: ${examples.join(", ")}`);
  process.exit(1);
}

/** @type {(outcome: Outcome) => void} */
let received = () => undefined;
/** @type {Promise<Outcome>} */
const reported = new Promise((resolve) => {
  received = resolve;
});

const server = createServer((request, response) => {
  serve(request, response).catch(() => response.writeHead(404).end());
});

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function serve(request, response) {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  if (pathname === "/outcome" && request.method === "POST") {
    received(/** @type {Outcome} */ (JSON.parse(await text(request))));
    response.writeHead(204).end();
    return;
  }
  const found = /^\/(?:examples|dist)\/[\w/-]+\.(html|js|css)$/.exec(pathname);
  if (found === null) throw new Error("file not found");
  const content = await readFile(new URL(`..${pathname}`, import.meta.url));
  const type = found[1] === "js" ? "javascript" : String(found[1]);
  response.writeHead(200, { "content-type": `text/${type}; charset=utf-8` });
  response.end(
    type === "html"
      ? content.toString().replace("</body>", `<script>${reporter}</script>$&`)
      : content,
  );
}

/**
 * Opens a page in a browser and returns the outcome of its call, or undefined if
 * the browser is not installed.
 *
 * @param {string} browser
 * @param {string} url
 * @returns {Promise<Outcome | undefined>}
 */
async function outcomeIn(browser, url) {
  const profile = await mkdtemp(join(tmpdir(), "example-"));
  const quietly = ["--headless", "--no-sandbox", "--disable-gpu"];
  const child = spawn(
    browser,
    [...quietly, `--user-data-dir=${profile}`, "--no-first-run", url],
    { stdio: "ignore" },
  );
  const closed = new Promise((resolve) => child.once("close", resolve));
  try {
    await once(child, "spawn");
  } catch {
    await rm(profile, { recursive: true });
    return undefined;
  }
  const outcome = await Promise.race([
    reported,
    closed.then(() => ({
      outcome: "failed",
      output: "",
      error: "The browser ended before the call.",
    })),
  ]);
  child.kill();
  await closed;
  // Processes of the browser may still write to its profile.
  await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  return outcome;
}

server.listen(Number(ownPort), "127.0.0.1");
await once(server, "listening");
const address = server.address();
const port = address !== null && typeof address === "object" ? address.port : 0;
const query = new URLSearchParams({ apiKey, baseUrl });
if (input !== undefined) query.set("input", input);
const url = `http://127.0.0.1:${String(port)}/examples/${name}.html?${query.toString()}`;

/** @type {Outcome | undefined} */
let shown;
for (const browser of [ownBrowser ?? "chromium", "google-chrome", "chrome"])
  shown ??= await outcomeIn(browser, url);

if (shown === undefined) console.error(`Chromium not found. Open ${url}`);
else {
  server.close();
  server.closeAllConnections();
  if (shown.output !== "") console.log(shown.output);
  if (shown.error !== "") console.error(shown.error);
  process.exitCode = shown.outcome === "succeeded" ? 0 : 1;
}
