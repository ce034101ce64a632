import type { FileView, Language } from '../language.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { callsView } from '../python/calls-view.ts';
import { exampleFile, examplePath } from '../python/example-view.ts';
import { messagesView } from '../python/messages-view.ts';
import { packageView } from '../python/package-view.ts';
import { projectView } from '../python/project-view.ts';
import { callName, pythonSdk } from '../python/python-sdk.ts';
import { readmeFile } from '../python/readme-view.ts';
import { snippet } from '../python/snippet.ts';
import { pythonTerms } from '../python/terms.ts';
import { testFile } from '../python/test-view.ts';

/** Python 3.10 and later: a sync and an async client over httpx, dataclasses with exact ProtoJSON (SDK.md, Per language). */
export const language: Language = {
  id: 'python',
  archiveSuffix: 'py',

  manifest(model) {
    const sdk = pythonSdk(model);
    return {
      package: { name: sdk.names.distribution, import: sdk.names.module },
      setup: "python3 -m venv .venv && .venv/bin/python -m pip install --quiet --editable '.[test]'",
      test: '.venv/bin/python -m pytest --quiet',
      example: (member) =>
        callName(sdk, member) === undefined
          ? undefined
          : `.venv/bin/python ${examplePath(sdk, member.alias)}`,
    };
  },

  runtimePath(path, model) {
    return path.replace(/^package\//, `src/${pythonSdk(model).names.module}/`);
  },

  files,

  snippet: (model, member) => snippet(pythonSdk(model), member),

  terms: (model) => pythonTerms(pythonSdk(model)),
};

function files(model: SdkModel): FileView[] {
  const sdk = pythonSdk(model);
  const folder = `src/${sdk.names.module}`;
  return [
    { path: 'pyproject.toml', template: 'pyproject.toml', view: projectView(sdk) },
    { path: `${folder}/__init__.py`, template: 'package/__init__.py', view: packageView(sdk) },
    { path: `${folder}/client.py`, template: 'package/client.py', view: callsView(sdk) },
    { path: `${folder}/messages.py`, template: 'package/messages.py', view: messagesView(sdk) },
    readmeFile(sdk),
    testFile(sdk),
    ...sdk.callable.map((member) => exampleFile(sdk, member)),
  ];
}
