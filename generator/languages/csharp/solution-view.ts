import type { CsharpSdk } from './csharp-sdk.ts';

/** View of the solution at the root of an archive. */
interface SolutionView {
  projects: SolutionProject[];
}

interface SolutionProject {
  name: string;
  /** Relative to the solution, with backslashes. */
  path: string;
  /** Identifies the project within the solution. */
  id: string;
}

/**
 * Returns the view of a solution with the package and its tests. The examples are not in it: there is one per member,
 * and their project files have the same name, which .NET refuses within a solution.
 */
export function solutionView({ package: { id } }: CsharpSdk): SolutionView {
  const tests = `${id}.Tests`;
  return {
    projects: [
      { name: id, path: `src\\${id}.csproj`, id: projectId(1) },
      { name: tests, path: `tests\\${tests}.csproj`, id: projectId(2) },
    ],
  };
}

function projectId(number: number): string {
  return `{00000000-0000-0000-0000-${String(number).padStart(12, '0')}}`;
}
