import { sdkFiles } from '../../../../generator/sdk-files.ts';
import type { SdkMember, SdkModel } from '../../../../generator/model/sdk-model.ts';
import { loadLanguage } from '../../../../service/languages/load-language.ts';
import { type RenderedFixture, renderedFixtures } from '../typescript/rendered-fixtures.ts';

/** The archive of every fixture for browsers, and another with its nodes as flows, because pages can only call flows. */
export async function pageFixtures(): Promise<RenderedFixture[]> {
  const fixtures = await renderedFixtures('typescript-browser');
  const { templates } = await loadLanguage('typescript-browser');
  const asFlows = fixtures.map(async ({ name, model, ...fixture }): Promise<RenderedFixture> => {
    const flows = withFlows(model);
    const files = await sdkFiles(flows, fixture.language, templates);
    const texts = files.map(({ path, content }): [string, string] => [path, textOf(content)]);
    return { ...fixture, name: `${name}-as-flows`, model: flows, files: new Map(texts) };
  });
  return [...fixtures, ...(await Promise.all(asFlows))];
}

/** Returns the model with a flow in place of every node. */
function withFlows(model: SdkModel): SdkModel {
  const members = model.members.map((member): SdkMember => {
    if (member.type === 'flow') return member;
    const id = `${member.alias} artifact`;
    return { ...member, type: 'flow', pin: { artifact: id, graph: id } };
  });
  return { ...model, members };
}

function textOf(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}
