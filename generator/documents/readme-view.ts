import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import { createMemory, formsInAllLanguages } from '../remember.ts';
import { foldParagraphs } from '../text/fold-lines.ts';
import { markdownBlock, markdownCode, markdownText } from '../text/markdown.ts';
import { describePin } from './describe-pin.ts';
import { memberParagraphs } from './member-paragraphs.ts';

/** How a language shows a member that it can call. */
export interface ReadmeWords {
  /** Info string of a Markdown fence: `go`. */
  fence: string;
  /** What calls the member: the name of a method. */
  heading: (member: SdkMember) => string;
  /** The smallest program that calls it. */
  snippet: (member: SdkMember) => string;
  /** Its program in `examples/`, as the README tells of it: a folder, a command. */
  example: (member: SdkMember) => string;
}

/** What it says of a member; all but `example` is finished Markdown. */
export interface ReadmeCall {
  heading: string;
  paragraphs: string[];
  pin: string;
  snippet: string;
  example: string;
}

/** What the README of every language says of a client and its members; all but `semver` is finished Markdown. */
export interface ReadmeView {
  title: string;
  paragraphs: string[];
  semver: string;
  /** The first program of `calls`; empty when there is none. */
  firstSnippet: string;
  calls: ReadmeCall[];
  /** Members that this version of the generator gives no call. */
  later: string[];
}

/** @param callable the members that the language can call. */
export function readmeView(model: SdkModel, callable: readonly SdkMember[], words: ReadmeWords): ReadmeView {
  const calls = callable.map((member) => callView(member, words));
  const called = new Set(callable);
  return {
    title: markdownText(model.client.name),
    paragraphs: foldParagraphs(model.client.description).map(markdownText),
    semver: model.semver,
    firstSnippet: calls[0]?.snippet ?? '',
    calls,
    later: model.members
      .filter((member) => !called.has(member))
      .map((member) => `${markdownCode(member.alias)}: ${describePin(member)}`),
  };
}

interface KnownCall {
  words: string;
  view: ReadmeCall;
}

/** What is said of a call, by its program: a long text, but the same one again and again. */
const knownCalls = createMemory<SdkMember, KnownCall>(formsInAllLanguages);

function callView(member: SdkMember, { fence, ...words }: ReadmeWords): ReadmeCall {
  const [heading, snippet, example] = [words.heading(member), words.snippet(member), words.example(member)];
  const own = [fence, heading, example].join('\n');
  const known = knownCalls.get(member, snippet);
  if (known?.words === own) return known.view;
  const view = {
    heading: markdownCode(heading),
    paragraphs: memberParagraphs(member),
    pin: describePin(member),
    snippet: markdownBlock(snippet, fence),
    example,
  };
  knownCalls.set(member, snippet, { words: own, view });
  return view;
}
