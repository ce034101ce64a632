import type { EnumModel, EnumValueModel, FieldModel, MessageModel } from '../specs/messages/message-model.ts';
import type { PackageTypes } from './model/package-types.ts';
import type { SdkMember, SdkModel } from './model/sdk-model.ts';

/**
 * A language of the generator. Its folder contains the code that computes names, type texts and flags, and the templates in the
 * folder with the same name print them. The rest of the generator does not depend on which languages exist.
 *
 * A language is found by its folder: `generator/languages/<id>/language.ts` exports it as `language`, and `templates/<id>/` holds
 * `sdk/` (Handlebars; each file's path is its place in the archive), `parts/` (partials) and `runtime/` (plain source in the
 * language, copied unchanged).
 *
 * `LICENSE`, `CHANGELOG.md`, `REFERENCE.md` and `llms.txt` are the same documents in every language: the generator prints them
 * from `templates/documents/` with the language's `terms`, unless the language has its own. `MANIFEST.json` is created from
 * `manifest` and the finished files.
 */
export interface Language {
  /** Id in the API, and name of both folders: `typescript-browser`. */
  id: string;
  /** `ext` of `<client-slug>-sdk-<ext>.zip`. */
  archiveSuffix: string;
  /**
   * Id of the language that this one is a variant of. The variant inherits its templates, partials and runtime, and replaces them
   * with its own files of the same path.
   */
  variantOf?: string;
  /**
   * Plans the SDK of a model: its names, types and samples. Called once per model. Must be pure and deterministic, and may have a
   * slow start but not be slow per member.
   */
  plan(model: SdkModel): SdkPlan;
  /**
   * Files for the folder of a package: the types of its messages, as handlers in this language receive and return them. Pure and
   * deterministic. Absent: handlers in this language have none.
   */
  handlerTypes?: (types: PackageTypes) => SdkFile[] | Promise<SdkFile[]>;
  /** For a language whose own protoc plugin writes these types. */
  handlerPlugin?: HandlerPlugin;
}

/** A protoc plugin that a language's toolchain runs in the folder of a package. */
export interface HandlerPlugin {
  /** Program and arguments. */
  command: readonly string[];
  /** The plugin's options for these proto files. */
  parameter: (files: readonly string[]) => string;
  /** What to do if the program is missing. */
  missing: string;
}

/** The SDK of one model in one language. */
export interface SdkPlan {
  /** The package in `MANIFEST.json`. */
  manifest: PackageManifest;
  /** The terms of the shared documents. */
  terms: LanguageTerms;
  /** Returns the files that templates print. A file at the path of a shared document (`REFERENCE.md`) replaces it. */
  files(): FileView[] | Promise<FileView[]>;
  /**
   * Returns the path in the archive of a file of `runtime/`, by its path beneath that folder. Undefined for a file that
   * the archive does not contain, such as one that a variant does not need.
   */
  runtimePath(path: string): string | undefined;
  /**
   * Returns the content of a runtime file in the archive, for a language whose namespaces are all absolute: it replaces
   * the namespace of the runtime with that of the package. Absent: files are copied.
   */
  runtimeContent?(text: string): string;
  /**
   * Files that are derived from the archive's files, such as compiled ones. Absent: there are none.
   * @param files all files but `MANIFEST.json`.
   */
  compiled?(files: readonly SdkFile[]): Promise<SdkFile[]>;
  /**
   * Returns the smallest complete program that calls one member: the snippet in the README, the docs page and
   * `x-codeSamples`.
   */
  snippet(member: SdkMember): string;
}

/** One file to print: a template of the language's `sdk/` folder, or of `documents/`, with a finished view. */
export interface FileView {
  /** Place in the archive, `/` separated, relative, printable ASCII. */
  path: string;
  /** Template path beneath `sdk/` without `.hbs`, or `documents/<name>` for one that all languages share. */
  template: string;
  /** Finished strings, flags and lists. A template never computes. */
  view: object;
}

/** How programs use an archive. Written to its `MANIFEST.json`. */
export interface PackageManifest {
  /** Name in the registry of the language, and the name that programs import. */
  package: { name: string; import: string };
  /** Shell commands run in the archive's folder: set up, run the offline tests. */
  setup: string;
  test: string;
  /**
   * Returns the shell command that runs a member's example; an input as ProtoJSON may be appended as one argument.
   * Undefined for a member that the SDK cannot call, such as a node from a page.
   */
  example(member: SdkMember): string | undefined;
}

/** The terms of a language in the shared documents. Texts are plain: the documents escape them for Markdown. */
export interface LanguageTerms {
  /** Display name: `TypeScript`. */
  languageName: string;
  /** Info string of a Markdown fence: `ts`. */
  fence: string;
  /** One sentence about the source of the key and address. Absent: the environment of the process. */
  credentials?: string;
  /**
   * Returns the call of a member in one line: `client.tokenize(input)`. Undefined if the SDK cannot call it, such as a
   * node from a page.
   */
  call(member: SdkMember): string | undefined;
  /** Returns further calls of a member, such as those that start a flow without waiting for it. */
  furtherCalls?(member: SdkMember): string[];
  /** Calls of a client with flows: `execution` returns a handle to a run of any flow, `pauses` the pauses of all runs. */
  runCalls: { execution: string; pauses: string };
  /** Returns the name of the type of a message or enum: `Word`. */
  typeName(fullName: string): string;
  /** Returns the name and type of a field: `{ name: 'unitPrice', type: 'bigint' }`. */
  field(message: MessageModel, field: FieldModel): { name: string; type: string };
  /** Returns an enum value in a program: `Color.RED`. */
  enumValue(enumeration: EnumModel, value: EnumValueModel): string;
}

/** A file that a template printed. */
export interface PrintedFile {
  path: string;
  content: string;
}

/** A finished file of an archive. */
export interface SdkFile {
  path: string;
  content: string | Uint8Array;
}
