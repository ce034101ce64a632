import type { FileView, Language, SdkPlan } from '../../language.ts';
import { callsView } from './calls-view.ts';
import { fieldsView } from './fields-view.ts';
import { handlerTypes } from './handler-types.ts';
import { exampleFile, examplePath } from './example-view.ts';
import { messagesView } from './messages-view.ts';
import { packageView } from './package-view.ts';
import { projectView } from './project-view.ts';
import { pythonSdk } from './python-sdk.ts';
import type { PythonSdk } from './python-sdk.ts';
import { readmeFile } from './readme-view.ts';
import { referenceFile } from './reference-view.ts';
import { snippet } from './snippet.ts';
import { pythonTerms } from './terms.ts';
import { testFile } from './test-view.ts';

/** Python 3.10 and later: a sync and an async client over httpx, dataclasses with exact ProtoJSON. */
export const language: Language = {
  id: 'python',
  archiveSuffix: 'py',

  plan: (model) => planOf(pythonSdk(model)),
  handlerTypes,
};

function planOf(sdk: PythonSdk): SdkPlan {
  const { distribution, module } = sdk.names;
  return {
    manifest: {
      package: { name: distribution, import: module },
      setup: "python3 -m venv .venv && .venv/bin/python -m pip install --quiet --editable '.[test]'",
      test: '.venv/bin/python -m pytest --quiet',
      example: (member) => `.venv/bin/python ${examplePath(sdk, member.alias)}`,
    },
    terms: pythonTerms(sdk),
    files: () => files(sdk),
    runtimePath: (path) => path.replace(/^package\//, `src/${module}/`),
    snippet: (member) => snippet(sdk, member),
  };
}

function files(sdk: PythonSdk): FileView[] {
  const folder = `src/${sdk.names.module}`;
  return [
    { path: 'pyproject.toml', template: 'pyproject.toml', view: projectView(sdk) },
    { path: `${folder}/__init__.py`, template: 'package/__init__.py', view: packageView(sdk) },
    { path: `${folder}/client.py`, template: 'package/client.py', view: callsView(sdk) },
    { path: `${folder}/_fields.py`, template: 'package/_fields.py', view: fieldsView(sdk) },
    { path: `${folder}/messages.py`, template: 'package/messages.py', view: messagesView(sdk) },
    readmeFile(sdk),
    referenceFile(sdk),
    testFile(sdk),
    ...sdk.model.members.map((member) => exampleFile(sdk, member)),
  ];
}
