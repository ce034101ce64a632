/**
 * Runs the call of an example when the form is submitted, or immediately if the
 * query string is complete (`?apiKey=...&baseUrl=...&input=...`). Shows the
 * response as ProtoJSON in `#output`, or an error in `#error`. Each message of a
 * stream is passed to `write`.
 *
 * @param {string} sample the default input
 * @param {(options: { apiKey: string, baseUrl: string, beacon: boolean }, json: string, write: (line: string) => void) => Promise<string | undefined>} call
 */
export function runExample(sample, call) {
  const query = new URLSearchParams(location.search);
  const file = location.pathname.split("/").at(-1) ?? "";
  document.title = file.replace(".html", "");
  const [heading] = document.getElementsByTagName("h1");
  if (heading !== undefined) heading.textContent = document.title;
  const apiKey = field("apiKey", query, "");
  const baseUrl = field("baseUrl", query, "");
  const readable = JSON.stringify(JSON.parse(sample), undefined, 2);
  const input = field("input", query, readable);

  const run = async () => {
    /** @type {string[]} */
    const written = [];
    /** @param {string} line */
    const write = (line) => {
      written.push(line);
      show(written.join("\n"), "", "running");
    };
    show("", "", "running");
    // A page with a single call needs no beacon.
    const options = {
      apiKey: apiKey.value,
      baseUrl: baseUrl.value,
      beacon: false,
    };
    try {
      const output = await call(options, input.value, write);
      show(output ?? written.join("\n"), "", "succeeded");
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const message = `${error.name}: ${error.message}`;
      show(written.join("\n"), message, "failed");
    }
  };

  document.forms[0]?.addEventListener("submit", (event) => {
    event.preventDefault();
    void run();
  });
  if (query.has("apiKey") && query.has("baseUrl")) void run();
}

/**
 * Returns a form field, filled from the query string.
 *
 * @param {string} name
 * @param {URLSearchParams} query
 * @param {string} otherwise
 */
function field(name, query, otherwise) {
  const element = /** @type {HTMLInputElement} */ (
    document.getElementById(name)
  );
  element.value = query.get(name) ?? otherwise;
  return element;
}

/**
 * @param {string} output
 * @param {string} error
 * @param {"running" | "succeeded" | "failed"} outcome
 */
function show(output, error, outcome) {
  for (const [id, text] of Object.entries({ output, error })) {
    const element = document.getElementById(id);
    if (element !== null) element.textContent = text;
  }
  document.body.dataset["outcome"] = outcome;
}
