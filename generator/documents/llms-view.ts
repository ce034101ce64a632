import type { LanguageTerms, SdkPlan } from '../language.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import { createMemory, formsInAllLanguages } from '../remember.ts';
import { foldLines } from '../text/fold-lines.ts';
import { markdownBlock, markdownCode, markdownText } from '../text/markdown.ts';

/** Where a program on a server or a desk has its credentials. */
const fromEnvironment =
  "The API key comes from the environment variable `SVC_API_KEY`, the service's address from `SVC_BASE_URL`; both can be passed in.";

/** `llms.txt`: the archive in a page, for whoever reads it by machine. */
export function llmsView(model: SdkModel, plan: SdkPlan): object {
  const { client, members } = model;
  const { terms } = plan;
  const names = plan.manifest.package;
  const callable = members.filter((member) => terms.call(member) !== undefined);
  const [first] = callable;
  return {
    title: markdownText(client.name),
    summary:
      markdownText(client.description) || `SDK of ${markdownText(client.name)} for ${terms.languageName}.`,
    packageName: markdownCode(names.name),
    packageImport: markdownCode(names.import),
    semver: model.semver,
    credentials: markdownText(terms.credentials ?? '') || fromEnvironment,
    calls: callable.map((member) => callLine(member, terms)),
    example: first === undefined ? '' : markdownBlock(plan.snippet(first), terms.fence),
  };
}

/** What is said of a call, by the words of the language. */
const callLines = createMemory<SdkMember, string>(formsInAllLanguages);

function callLine(member: SdkMember, terms: LanguageTerms): string {
  const calls = [terms.call(member) ?? '', ...(terms.furtherCalls?.(member) ?? [])];
  const [input, output] = [terms.typeName(member.input), terms.typeName(member.output)];
  return callLines.recall(member, JSON.stringify([input, output, ...calls]), () => {
    const comment = foldLines(member.comment);
    const types = `${markdownCode(input)} -> ${markdownCode(output)}`;
    return `${calls.map(markdownCode).join(', ')}: ${types}${comment === '' ? '' : `. ${markdownText(comment)}`}`;
  });
}
