import { inOrderAdded } from '../model/in-order-added.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import { markdownBlock, markdownCode, markdownParagraphs, markdownText } from '../text/markdown.ts';
import { describePin } from './describe-pin.ts';

/** How a language presents a member that it can call. */
interface ReadmeTerms {
  /** Info string of a Markdown fence: `go`. */
  fence: string;
  /** Name of the method that calls the member. */
  heading: (member: SdkMember) => string;
  /** The smallest program that calls it. */
  snippet: (member: SdkMember) => string;
  /** Its program in `examples/`: a folder or a command. */
  example: (member: SdkMember) => string;
}

/** The section of a member; everything but `example` is finished Markdown. */
interface ReadmeCall {
  heading: string;
  paragraphs: string[];
  pin: string;
  snippet: string;
  example: string;
}

/** The part of the README that all languages share; everything but `semver` is finished Markdown. */
interface ReadmeView {
  title: string;
  paragraphs: string[];
  semver: string;
  /** The program for the call that the tenant added first; empty without calls. */
  firstSnippet: string;
  calls: ReadmeCall[];
}

/** Returns the parts of `README.md` that most languages have in common. */
export function readmeView(model: SdkModel, terms: ReadmeTerms): ReadmeView {
  const calls = model.members.map((member) => callView(member, terms));
  const [first] = inOrderAdded(model);
  return {
    title: markdownText(model.client.name),
    paragraphs: markdownParagraphs(model.client.description),
    semver: model.semver,
    firstSnippet: first === undefined ? '' : markdownBlock(terms.snippet(first), terms.fence),
    calls,
  };
}

function callView(member: SdkMember, { fence, heading, snippet, example }: ReadmeTerms): ReadmeCall {
  return {
    heading: markdownCode(heading(member)),
    paragraphs: markdownParagraphs(member.comment),
    pin: describePin(member),
    snippet: markdownBlock(snippet(member), fence),
    example: example(member),
  };
}
