import type { LanguageTerms, SdkPlan } from '../language.ts';
import type { SdkMember, SdkModel } from '../model/sdk-model.ts';
import { foldLines } from '../text/fold-lines.ts';
import { markdownBlock, markdownCode, markdownText } from '../text/markdown.ts';
import { runCallLines } from './run-calls.ts';

/** Where a program on a server or a desktop finds its credentials. */
const fromEnvironment =
  "The API key comes from the environment variable `SVC_API_KEY`, the service's address from `SVC_BASE_URL`; both can be passed in.";

/** Returns the view of `llms.txt`: the archive on one page, for language models. */
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
    runs: runCallLines(model, terms),
    example: first === undefined ? '' : markdownBlock(plan.snippet(first), terms.fence),
  };
}

function callLine(member: SdkMember, terms: LanguageTerms): string {
  const calls = [terms.call(member) ?? '', ...(terms.furtherCalls?.(member) ?? [])];
  const [input, result] = [member.input, member.output].map((type) => markdownCode(terms.typeName(type)));
  const comment = foldLines(member.comment);
  const output = `${member.mode === 'pipeline' ? 'stream of ' : ''}${result}`;
  return `${calls.map(markdownCode).join(', ')}: ${input} -> ${output}${comment === '' ? '' : `. ${markdownText(comment)}`}`;
}
