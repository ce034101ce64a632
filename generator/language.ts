import type { NodeMember, FlowMember, SdkModel } from './model/sdk-model.ts';

/**
 * All that the generator needs to know of a language. A language file computes (names, type texts, flags) and the templates of
 * the folder with the same name print; the rest of the generator does not know which languages exist.
 *
 * A language is found by its file name: `generator/languages/<id>.ts` exports it as `language`, and `templates/<id>/` holds
 * `sdk/` (Handlebars, each file's path its place in the archive), `parts/` (partials) and `runtime/` (plain source of the
 * language, copied as it is).
 */
export interface Language {
  /** As the API names it: `typescript-browser`. The same as the file and the template folder. */
  id: string;
  /** `ext` of `<client-slug>-sdk-<ext>.zip`. */
  archiveSuffix: string;
  /** What `MANIFEST.json` says of the package. */
  manifest(model: SdkModel): PackageManifest;
  /** Where the files of `runtime/` go in the archive, by their path beneath it; absent ones keep their path. */
  runtimePath(path: string, model: SdkModel): string;
  /** The files that templates print. Pure and deterministic; may be slow to start but not per member. */
  files(model: SdkModel): FileView[] | Promise<FileView[]>;
  /** A complete, smallest program text that calls one member: the one snippet of README, docs page and `x-codeSamples`. */
  snippet(model: SdkModel, member: NodeMember | FlowMember): string;
}

/** One file to print: a template of the language's `sdk/` folder, or of `documents/`, over a finished view. */
export interface FileView {
  /** Place in the archive, `/` separated, relative. */
  path: string;
  /** Template path beneath `sdk/` without `.hbs`, or `documents/<name>` for one that all languages share. */
  template: string;
  /** Finished strings, flags and lists. A template never computes. */
  view: object;
}

export interface PackageManifest {
  /** Name in the language's registry, and what a program imports (SDK.md, Package names and versions). */
  package: { name: string; import: string };
  /** Shell commands run in the archive's folder: set up, run the offline tests. */
  setup: string;
  test: string;
  /** Shell command that runs a member's example; an input as ProtoJSON may be appended as one argument. */
  example(member: NodeMember | FlowMember): string;
}

/** A finished file of an archive. */
export interface SdkFile {
  path: string;
  content: string | Uint8Array;
}
