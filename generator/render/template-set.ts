import type { ConformanceRow } from '../documents/conformance-section.ts';

/**
 * What is printed and copied for one language, read from `templates/` by whoever calls the generator. Keys are paths with `/`.
 * A set is treated as a constant: compiled templates and hashes are kept for as long as the set lives.
 */
export interface TemplateSet {
  /** Handlebars sources of `templates/<language>/sdk/` by path beneath it, without `.hbs`: `src/client.ts`. */
  sdk: ReadonlyMap<string, string>;
  /** Handlebars partials of `templates/<language>/parts/` by path beneath it, without `.hbs`: `{{> method}}`. */
  parts: ReadonlyMap<string, string>;
  /** Handlebars sources of `templates/documents/`, which all languages share, without `.hbs`: `CHANGELOG.md`. */
  documents: ReadonlyMap<string, string>;
  /** Plain source of `templates/<language>/runtime/` by path beneath it, copied as it is. */
  runtime: ReadonlyMap<string, Uint8Array>;
  /** What the conformance suite said of the language, of `templates/documents/conformance.json`. */
  conformance?: ConformanceRow | undefined;
}
