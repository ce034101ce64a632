import { describePin } from '../documents/describe-pin.ts';
import type { FileView } from '../language.ts';
import { foldParagraphs } from '../text/fold-lines.ts';
import { markdownBlock, markdownCode, markdownText } from '../text/markdown.ts';
import { exampleCommand } from './example-view.ts';
import type { JavaSdk } from './java-sdk.ts';
import { callName } from './java-sdk.ts';
import { snippet } from './snippet.ts';

/** `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: JavaSdk): FileView {
  const { model, place, names, callable, texts } = sdk;
  const [first] = callable;
  const aliases = new Set(callable.map(({ alias }) => alias));
  const flow = callable.find(({ type }) => type === 'flow');
  const flowNames = names.flows.get(flow?.alias ?? '');
  return {
    path: 'README.md',
    template: 'README.md',
    view: {
      title: markdownText(model.client.name),
      paragraphs: foldParagraphs(model.client.description).map(markdownText),
      ...place,
      semver: model.semver,
      firstCall: first && callName(sdk, first),
      firstOutput: first && texts.ofRoot(first.output).boxed,
      firstSnippet: first ? markdownBlock(snippet(sdk, first), 'java') : '',
      calls: callable.map((member) => ({
        heading: markdownCode(callName(sdk, member) ?? ''),
        paragraphs: foldParagraphs(member.comment).map(markdownText),
        pin: describePin(member),
        snippet: markdownBlock(snippet(sdk, member), 'java'),
        example: exampleCommand(sdk, member.alias),
      })),
      flow: flow && flowNames && { ...flowNames, output: texts.ofRoot(flow.output).boxed },
      later: model.members
        .filter(({ alias }) => !aliases.has(alias))
        .map((member) => `${markdownCode(member.alias)}: ${describePin(member)}`),
    },
  };
}
