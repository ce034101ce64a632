// Runs an example in a browser and prints its output:
// node scripts/show-example.js <name> ['<input as JSON>']
// Requires SVC_API_KEY, SVC_BASE_URL, and Chromium or Chrome on the PATH or at
// CHROME_PATH. Without a browser, it prints the URL of the page and keeps
// serving. Set PORT to serve the page at an origin that the app key allows.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const [, , name, input] = process.argv;
const {
  SVC_API_KEY: apiKey = "",
  SVC_BASE_URL: baseUrl = "",
  CHROME_PATH: ownBrowser,
  PORT: ownPort = "0",
} = process.env;

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  serve(pathname, response).catch(() => response.writeHead(404).end());
});

/**
 * @param {string} pathname
 * @param {import("node:http").ServerResponse} response
 */
async function serve(pathname, response) {
  const found = /^\/(?:examples|dist)\/[\w/-]+\.(html|js|css)$/.exec(pathname);
  if (found === null) throw new Error("file not found");
  const content = await readFile(new URL(`..${pathname}`, import.meta.url));
  const type = found[1] === "js" ? "javascript" : String(found[1]);
  response.writeHead(200, { "content-type": `text/${type}` }).end(content);
}

/**
 * Returns the page after its call has ended, or undefined if the browser is not
 * installed.
 *
 * @param {string} browser
 * @param {string} url
 */
async function opened(browser, url) {
  const quietly = ["--headless", "--no-sandbox", "--disable-gpu"];
  const whole = ["--virtual-time-budget=50000", "--dump-dom"];
  const child = spawn(browser, [...quietly, ...whole, url], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const isThere = await new Promise((resolve) => {
    child.on("spawn", () => {
      resolve(true);
    });
    child.on("error", () => {
      resolve(false);
    });
  });
  return isThere ? text(child.stdout) : undefined;
}

/**
 * Returns the text of an element.
 *
 * @param {string} page
 * @param {string} id
 */
function shownIn(page, id) {
  const shown = new RegExp(`<pre id="${id}"[^>]*>([^<]*)</pre>`).exec(
    page,
  )?.[1];
  return (shown ?? "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&nbsp;", "\u00a0")
    .replaceAll("&amp;", "&");
}

server.listen(Number(ownPort), "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const address = server.address();
const port = address !== null && typeof address === "object" ? address.port : 0;
const query = new URLSearchParams({ apiKey, baseUrl });
if (input !== undefined) query.set("input", input);
const page = `examples/${String(name)}.html?${query.toString()}`;
const url = `http://127.0.0.1:${String(port)}/${page}`;

/** @type {string | undefined} */
let shown;
for (const browser of [ownBrowser ?? "chromium", "google-chrome", "chrome"])
  shown ??= await opened(browser, url);

if (shown === undefined) console.error(`Chromium not found. Open ${url}`);
else {
  server.close();
  server.closeAllConnections();
  const error = shownIn(shown, "error");
  if (error === "") console.log(shownIn(shown, "output"));
  else console.error(error);
  process.exitCode = error === "" ? 0 : 1;
}
