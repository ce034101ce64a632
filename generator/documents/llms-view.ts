import type { SdkPlan } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';
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
    calls: callable.map((member) => {
      const comment = foldLines(member.comment);
      const further = (terms.furtherCalls?.(member) ?? []).map((call) => `, ${markdownCode(call)}`).join('');
      const types = `${markdownCode(terms.typeName(member.input))} -> ${markdownCode(terms.typeName(member.output))}`;
      return `${markdownCode(terms.call(member) ?? '')}${further}: ${types}${comment === '' ? '' : `. ${markdownText(comment)}`}`;
    }),
    example: first === undefined ? '' : markdownBlock(plan.snippet(first), terms.fence),
  };
}
