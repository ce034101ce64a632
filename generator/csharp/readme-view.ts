import { describePin } from '../documents/describe-pin.ts';
import type { FileView } from '../language.ts';
import { foldParagraphs } from '../text/fold-lines.ts';
import { markdownBlock, markdownCode, markdownText } from '../text/markdown.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { callName } from './csharp-sdk.ts';
import { exampleFolder } from './example-view.ts';
import { snippet } from './snippet.ts';

/** `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: CsharpSdk): FileView {
  const { model, package: names, callable } = sdk;
  const [first] = callable;
  const aliases = new Set(callable.map(({ alias }) => alias));
  const flow = callable.find(({ type }) => type === 'flow');
  return {
    path: 'README.md',
    template: 'README.md',
    view: {
      title: markdownText(model.client.name),
      paragraphs: foldParagraphs(model.client.description).map(markdownText),
      namespace: names.namespace,
      semver: model.semver,
      firstCall: first && callName(sdk, first),
      firstSnippet: first ? markdownBlock(snippet(sdk, first), 'csharp') : '',
      calls: callable.map((member) => ({
        heading: markdownCode(`${callName(sdk, member) ?? ''}Async`),
        paragraphs: foldParagraphs(member.comment).map(markdownText),
        pin: describePin(member),
        snippet: markdownBlock(snippet(sdk, member), 'csharp'),
        example: exampleFolder(sdk, member.alias),
      })),
      flowCall: flow && callName(sdk, flow),
      later: model.members
        .filter(({ alias }) => !aliases.has(alias))
        .map((member) => `${markdownCode(member.alias)}: ${describePin(member)}`),
    },
  };
}
