import type { FileView, Language, SdkPlan } from '../language.ts';
import { callsView } from '../python/calls-view.ts';
import { examplePath } from '../python/example-view.ts';
import { memberViews } from '../python/member-views.ts';
import { messagesView } from '../python/messages-view.ts';
import { packageView } from '../python/package-view.ts';
import { projectView } from '../python/project-view.ts';
import { callName, pythonSdk } from '../python/python-sdk.ts';
import type { PythonSdk } from '../python/python-sdk.ts';
import { readmeFile } from '../python/readme-view.ts';
import { noSnippet } from '../python/snippet.ts';
import { pythonTerms } from '../python/terms.ts';
import { testFile } from '../python/test-view.ts';

/** Python 3.10 and later: a sync and an async client over httpx, dataclasses with exact ProtoJSON (SDK.md, Per language). */
export const language: Language = {
  id: 'python',
  archiveSuffix: 'py',

  plan: (model) => planOf(pythonSdk(model)),
};

function planOf(sdk: PythonSdk): SdkPlan {
  const { distribution, module } = sdk.names;
  return {
    manifest: {
      package: { name: distribution, import: module },
      setup: "python3 -m venv .venv && .venv/bin/python -m pip install --quiet --editable '.[test]'",
      test: '.venv/bin/python -m pytest --quiet',
      example: (member) =>
        callName(sdk, member) === undefined
          ? undefined
          : `.venv/bin/python ${examplePath(sdk, member.alias)}`,
    },
    terms: pythonTerms(sdk),
    files: () => files(sdk),
    runtimePath: (path) => path.replace(/^package\//, `src/${module}/`),
    snippet: (member) => memberViews(sdk).get(member)?.snippet ?? noSnippet,
  };
}

function files(sdk: PythonSdk): FileView[] {
  const folder = `src/${sdk.names.module}`;
  const members = [...memberViews(sdk).values()];
  return [
    { path: 'pyproject.toml', template: 'pyproject.toml', view: projectView(sdk) },
    { path: `${folder}/__init__.py`, template: 'package/__init__.py', view: packageView(sdk) },
    {
      path: `${folder}/client.py`,
      template: 'package/client.py',
      view: callsView(
        sdk,
        members.map(({ call }) => call),
      ),
    },
    { path: `${folder}/messages.py`, template: 'package/messages.py', view: messagesView(sdk) },
    readmeFile(sdk),
    testFile(
      sdk,
      members.map(({ tested }) => tested),
    ),
    ...members.map(({ example }) => example),
  ];
}
