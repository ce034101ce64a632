import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installOnce } from './peer.ts';
import { type Command, runProgram } from './run-program.ts';

export const openapiGeneratorVersion = '7.25.0';

/** Its generators that correspond to our languages. */
const generators: Readonly<Record<string, { generatorName: string } & Record<string, unknown>>> = {
  csharp: { generatorName: 'csharp' },
  go: { generatorName: 'go' },
  java: { generatorName: 'java', library: 'native' },
  python: { generatorName: 'python' },
  rust: { generatorName: 'rust' },
  typescript: { generatorName: 'typescript-axios', additionalProperties: { npmName: 'commerce' } },
  'typescript-browser': { generatorName: 'typescript-fetch', additionalProperties: { npmName: 'commerce' } },
};

/** Its name in the table, for one of our languages. */
export function generatorTitle(language: string): string {
  return `openapi-generator ${openapiGeneratorVersion} (${generators[language]?.generatorName ?? ''})`;
}

/** One configuration file each for its `batch` command and its library. */
interface GeneratorConfigs {
  /** By our language. */
  files: ReadonlyMap<string, string>;
}

const jarFolder = (cache: string): string => path.join(cache, `openapi-generator-${openapiGeneratorVersion}`);

/** Its command-line jar, which Maven fetches from Maven Central. */
function openapiGeneratorJar(cache: string): string {
  return path.join(jarFolder(cache), `openapi-generator-cli-${openapiGeneratorVersion}.jar`);
}

/**
 * Installs the generator into the cache.
 * @throws Error if Java or Maven is missing, or the jar cannot be fetched
 */
export async function installOpenapiGenerator(cache: string): Promise<void> {
  runProgram({ file: 'java', args: ['-version'] });
  await installOnce(jarFolder(cache), (into) => {
    const artifact = `org.openapitools:openapi-generator-cli:${openapiGeneratorVersion}`;
    runProgram({
      file: 'mvn',
      args: ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${into}`],
    });
  });
}

/** Our languages for which it has a generator. */
export function openapiGeneratorLanguages(languages: readonly string[]): string[] {
  return languages.filter((language) => Object.hasOwn(generators, language));
}

/** Writes the configuration for a document: each language into a separate folder in `output`. */
export async function writeGeneratorConfigs(
  languages: readonly string[],
  document: string,
  output: string,
): Promise<GeneratorConfigs> {
  const folder = path.join(output, 'configs');
  await mkdir(folder, { recursive: true });
  const files = new Map<string, string>();
  for (const language of languages) {
    const file = path.join(folder, `${language}.json`);
    const config = {
      ...generators[language],
      inputSpec: document,
      outputDir: path.join(output, language),
    };
    await writeFile(file, JSON.stringify(config));
    files.set(language, file);
  }
  return { files };
}

/** Returns the command of one JVM that generates one language. */
export function generateCommand(cache: string, config: string): Command {
  return { file: 'java', args: ['-jar', openapiGeneratorJar(cache), 'generate', '-c', config] };
}

/** Returns the command of one JVM that generates all languages in sequence. */
export function batchCommand(cache: string, { files }: GeneratorConfigs): Command {
  const args = [
    '-jar',
    openapiGeneratorJar(cache),
    'batch',
    '--threads',
    '1',
    '--fail-fast',
    ...files.values(),
  ];
  return { file: 'java', args };
}

/**
 * Returns the command of one JVM that generates all languages repeatedly with the generator's library. It runs at most
 * `rounds` rounds and starts none after `budgetMs` milliseconds. It prints `round <ms> <processor ms>` for each round,
 * including the first.
 */
export function warmCommand(
  cache: string,
  { files }: GeneratorConfigs,
  rounds: number,
  budgetMs: number,
): Command {
  const program = path.resolve(import.meta.dirname, 'WarmLibrary.java');
  const quiet = '-Dorg.slf4j.simpleLogger.defaultLogLevel=off';
  const classPath = openapiGeneratorJar(cache);
  return {
    file: 'java',
    args: [quiet, '-cp', classPath, program, String(rounds), String(Math.round(budgetMs)), ...files.values()],
  };
}
