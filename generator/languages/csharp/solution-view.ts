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
 * The package and its tests. The examples are not in the solution: their project files have the same name, which .NET refuses in
 * one, and there is an example per member.
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
