import type { CsharpSdk } from './csharp-sdk.ts';
import { exampleFolder } from './example-view.ts';

/** View of the solution at the root of an archive. */
interface SolutionView {
  projects: SolutionProject[];
}

interface SolutionProject {
  /** Unique within the solution. */
  name: string;
  /** Relative to the solution, with backslashes. */
  path: string;
  /** Identifies the project within the solution. */
  id: string;
  /** Whether commands on the solution build it. */
  isBuilt: boolean;
}

/** The package, its tests and the examples. Commands on the solution skip the examples, because there is one per member. */
export function solutionView(sdk: CsharpSdk): SolutionView {
  const { id } = sdk.package;
  const tests = `${id}.Tests`;
  const folders = sdk.callable.map(({ alias }) => exampleFolder(sdk, alias));
  return {
    projects: [
      { name: id, path: `src/${id}.csproj`, isBuilt: true },
      { name: tests, path: `tests/${tests}.csproj`, isBuilt: true },
      ...folders.map((path) => ({
        name: path.replace('/', '.'),
        path: `${path}/Example.csproj`,
        isBuilt: false,
      })),
    ].map((project, index) => ({
      ...project,
      path: project.path.replaceAll('/', '\\'),
      id: `{00000000-0000-0000-0000-${String(index + 1).padStart(12, '0')}}`,
    })),
  };
}
