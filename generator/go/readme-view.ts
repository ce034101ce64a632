import { describePin } from '../documents/describe-pin.ts';
import type { FileView } from '../language.ts';
import { foldParagraphs } from '../text/fold-lines.ts';
import { markdownBlock, markdownCode, markdownText } from '../text/markdown.ts';
import { exampleFolder } from './example-view.ts';
import type { GoSdk } from './go-sdk.ts';
import { callName } from './go-sdk.ts';
import { snippet } from './snippet.ts';

/** `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: GoSdk): FileView {
  const { model, module, names, callable } = sdk;
  const [first] = callable;
  const aliases = new Set(callable.map(({ alias }) => alias));
  const flow = callable.find(({ type }) => type === 'flow');
  return {
    path: 'README.md',
    template: 'README.md',
    view: {
      title: markdownText(model.client.name),
      paragraphs: foldParagraphs(model.client.description).map(markdownText),
      modulePath: module.path,
      packageName: module.packageName,
      importLine: module.importLine,
      semver: model.semver,
      firstCall: first && callName(sdk, first),
      firstSnippet: first ? markdownBlock(snippet(sdk, first), 'go') : '',
      calls: callable.map((member) => ({
        heading: markdownCode(callName(sdk, member) ?? ''),
        paragraphs: foldParagraphs(member.comment).map(markdownText),
        pin: describePin(member),
        snippet: markdownBlock(snippet(sdk, member), 'go'),
        example: exampleFolder(sdk, member.alias),
      })),
      flow: names.flows.get(flow?.alias ?? ''),
      later: model.members
        .filter(({ alias }) => !aliases.has(alias))
        .map((member) => `${markdownCode(member.alias)}: ${describePin(member)}`),
    },
  };
}
