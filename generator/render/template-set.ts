import type { ConformanceRow } from '../documents/conformance-section.ts';

/**
 * The sources that the files of one language are printed from and copied from, read from `templates/` by the caller of the
 * generator. Keys are paths with `/`.
 */
export interface TemplateSources {
  /** Handlebars sources of `templates/<language>/sdk/` by path beneath it, without `.hbs`: `src/client.ts`. */
  sdk: ReadonlyMap<string, string>;
  /** Handlebars partials of `templates/<language>/parts/` by path beneath it, without `.hbs`: `{{> method}}`. */
  parts: ReadonlyMap<string, string>;
  /** Handlebars sources of `templates/documents/`, which all languages share, without `.hbs`: `CHANGELOG.md`. */
  documents: ReadonlyMap<string, string>;
  /** Plain source of `templates/<language>/runtime/` by path beneath it, copied unchanged. */
  runtime: ReadonlyMap<string, Uint8Array>;
  /** Conformance results of the language, from `templates/documents/conformance.json`. */
  conformance?: ConformanceRow | undefined;
}

/** Prints one view by a template. */
export type Print = (view: object) => string;

/** The sources with their templates compiled (`compileTemplates`), created once per language and used for many archives. */
export interface TemplateSet extends TemplateSources {
  /** By the names in `FileView.template`: `src/client.ts`, `documents/llms.txt`. */
  printers: ReadonlyMap<string, Print>;
}
