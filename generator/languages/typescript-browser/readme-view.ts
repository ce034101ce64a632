import { describePin } from '../../documents/describe-pin.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import { markdownCode } from '../../text/markdown.ts';
import { readmeView as typescriptReadmeView } from '../typescript/readme-view.ts';
import type { TypeScriptSdk } from '../typescript/typescript-sdk.ts';
import { globalName } from './package-names.ts';

/**
 * Returns the view of `README.md`: the TypeScript view, and the members that pages cannot call.
 * @param model the whole client, including nodes.
 */
export function readmeView(sdk: TypeScriptSdk, model: SdkModel): object {
  return {
    ...typescriptReadmeView(sdk),
    globalName: globalName(model),
    nodes: model.members
      .filter(({ type }) => type === 'node')
      .map((member) => `${markdownCode(member.alias)}, ${describePin(member)}`),
  };
}
