import type { EnumModel, EnumValueModel, FieldModel, MessageModel } from '../specs/messages/message-model.ts';
import type { SdkMember, SdkModel } from './model/sdk-model.ts';

/**
 * All that the generator needs to know of a language. A language file computes (names, type texts, flags) and the templates of
 * the folder with the same name print; the rest of the generator does not know which languages exist.
 *
 * A language is found by its file name: `generator/languages/<id>.ts` exports it as `language`, and `templates/<id>/` holds
 * `sdk/` (Handlebars, each file's path its place in the archive), `parts/` (partials) and `runtime/` (plain source of the
 * language, copied as it is).
 *
 * `LICENSE`, `CHANGELOG.md`, `REFERENCE.md` and `llms.txt` are the same documents in every language: the generator prints them
 * by `templates/documents/` in the words of `terms`. `MANIFEST.json` is made from `manifest` and the finished files.
 */
export interface Language {
  /** As the API names it: `typescript-browser`. The same as the file and the template folder. */
  id: string;
  /** `ext` of `<client-slug>-sdk-<ext>.zip`. */
  archiveSuffix: string;
  /**
   * Id of the language that this one is a variant of. What stands in the templates of that one, partials and runtime included,
   * is this one's too, unless a file of the same path takes its place: a variant costs only what differs.
   */
  variantOf?: string;
  /**
   * Plans the SDK of a model: its names, types and samples. Made once for all that is asked about the model; pure and
   * deterministic; may be slow to start but not per member.
   */
  plan(model: SdkModel): SdkPlan;
}

/** A language's words for one model. */
export interface SdkPlan {
  /** What `MANIFEST.json` says of the package. */
  manifest: PackageManifest;
  /** The words of the shared documents. */
  terms: LanguageTerms;
  /** The files that templates print. A file at the path of a shared document (`REFERENCE.md`) takes its place. */
  files(): FileView[] | Promise<FileView[]>;
  /**
   * Where the files of `runtime/` go in the archive, by their path beneath it: a file may stay at its own path. Undefined for
   * one that the archive does without, such as what a variant has no use for.
   */
  runtimePath(path: string): string | undefined;
  /**
   * What a file of `runtime/` reads in the archive, where that is not just what it is: a language whose namespaces are all
   * absolute puts the package's own in the place of the runtime's.
   */
  runtimeContent?(content: Uint8Array): PrintedText;
  /**
   * Names that files say for this client, beside the package's import. Behind the last of them a file reads the same in other clients,
   * whose archives need not deflate that again (`archive/split-at-names.ts`).
   */
  clientNames?: readonly string[];
  /** A complete, smallest program text that calls one member: the one snippet of README, docs page and `x-codeSamples`. */
  snippet(member: SdkMember): string;
}

/** One file to print: a template of the language's `sdk/` folder, or of `documents/`, over a finished view. */
export interface FileView {
  /** Place in the archive, `/` separated, relative, printable ASCII. */
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
  /**
   * Shell command that runs a member's example; an input as ProtoJSON may be appended as one argument. Undefined for a member
   * that the SDK cannot call yet.
   */
  example(member: SdkMember): string | undefined;
}

/** How a language says what the shared documents tell. Texts are plain: the documents escape them for Markdown. */
export interface LanguageTerms {
  /** Name for people: `TypeScript`. */
  languageName: string;
  /** Info string of a Markdown fence: `ts`. */
  fence: string;
  /** Where key and address come from, one sentence; the environment of the process when absent. */
  credentials?: string;
  /** Call of a member in one line: `client.tokenize(input)`. Undefined when the SDK cannot call it yet. */
  call(member: SdkMember): string | undefined;
  /** Further calls of a member, such as those that start a flow without waiting for it. */
  furtherCalls?(member: SdkMember): string[];
  /** Name of the type that a message or enum became: `Word`. */
  typeName(fullName: string): string;
  /** Name and type text of a field: `{ name: 'unitPrice', type: 'bigint' }`. */
  field(message: MessageModel, field: FieldModel): { name: string; type: string };
  /** How a program writes an enum value: `Color.RED`. */
  enumValue(enumeration: EnumModel, value: EnumValueModel): string;
  /**
   * All that `typeName` and `field` of a message follow from beside the message and the language (`names/reach-words.ts`), where
   * that is had for less than what they give.
   */
  declarationWords?(message: MessageModel): string;
}

/** What a template made of a view: the same object for a view that it has printed before. */
export interface PrintedText {
  text: string;
}

export interface PrintedFile {
  path: string;
  printed: PrintedText;
}

/** A finished file of an archive. */
export interface SdkFile extends FileContent {
  path: string;
}

export interface FileContent {
  content: string | Uint8Array;
  /** The content in parts that are deflated one by one, when other archives may have one of them too. */
  parts?: readonly Uint8Array[];
}
